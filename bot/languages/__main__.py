"""`python -m bot.languages extract | compile | check`: the catalogues, for development."""

import sys

from bot.languages.catalogues import main

raise SystemExit(main(sys.argv[1:]))
