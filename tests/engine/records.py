"""The record in the docs, and the stand-alone `docs/verify.py` as a module."""

import importlib.util
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[2] / "docs"


VERIFY = DOCS / "verify.py"


EXAMPLE = (DOCS / "example.dog").read_bytes()


def _alone() -> Any:
    spec = importlib.util.spec_from_file_location("verify", VERIFY)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


verify = _alone()
