"""Computer players: compared (`tournament`), watched with their partners (`partnership`), taught (`learn`)."""
