"""The running program around the engine: settings, storage, the tables service, announcer, texts, languages."""
