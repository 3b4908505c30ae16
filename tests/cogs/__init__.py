"""End to end: people type and click on a simulated Discord, and the whole bot answers."""
