"""Everything that is checked, a folder for each package."""
