"""Large random checks of the engine, outside the suite: `python -m tests.fuzz`."""
