"""`python -m bot.languages extract | compile | check`: passed on to `tools.catalogues`, which only a checkout has."""

import runpy
import sys
from importlib.util import find_spec

if find_spec("tools.catalogues") is None:
    sys.exit("Catalogues are made in a checkout of the project, with `python -m tools.catalogues`.")
runpy.run_module("tools.catalogues", run_name="__main__", alter_sys=True)
