"""The running program around the engine: settings, storage, the tables service, delivery, texts, languages."""
