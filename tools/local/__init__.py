"""Tables without Discord: `make play` in the browser, `python -m tools.local.terminal` in the terminal."""
