"""`make mutants`: small faults are put into the code, one at a time, and the tests have to notice each of them.

A sample is drawn from all the faults that can be made in the rooms named in `ROOMS` (a comparison inverted, a number
off by one, a call left out ...). For each, tests run in a copy of the tree until the first failure: those close to the
file, which are quick, then all others of its room. A fault that no test notices is a *survivor*: either a test is
missing, or the fault changes nothing that matters. The latter are listed in `tests/survivors.toml` with the reason.

    python -m tools.mutants [--room engine] [--sample 40] [--seed 1] [--workers 2] [--near]

Ends with status 1 if a survivor is not on the list.
"""

from __future__ import annotations

import argparse
import ast
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from difflib import unified_diff
from functools import cache
from itertools import islice
from pathlib import Path
from queue import SimpleQueue

import cosmic_ray.plugins as plugins
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator
from parso.python.tree import ExprStmt, PythonNode

ROOT = Path(__file__).resolve().parent.parent
SURVIVORS = ROOT / "tests" / "survivors.toml"


@dataclass(frozen=True, slots=True)
class Room:
    """The files that faults are put into, and the tests that have to notice them, relative to the root.

    `first`: the tests that run first for every file of the room, before those close to the file.
    """

    files: tuple[str, ...]
    tests: tuple[str, ...]
    first: tuple[str, ...] = ()


ROOMS: Mapping[str, Room] = {
    "engine": Room(
        ("engine/*.py", "engine/*/*.py"),
        ("tests/engine", "tests/reference"),
        (
            "tests/reference/test_sentences.py",
            "tests/engine/rules/test_turns.py",
            "tests/engine/rules/test_rounds.py",
            "tests/engine/test_bad_input.py",
            "tests/reference/test_texts.py",
            "tests/reference/test_logs.py",
        ),
    ),
    "tables": Room(
        ("bot/tables/**/*.py", "bot/table.py"), ("tests/bot", "tests/cogs"), ("tests/bot/tables/test_turns.py",)
    ),
    "clocks": Room(
        ("bot/clocks.py", "bot/time_zones.py"),
        ("tests/bot", "tests/cogs/clocks"),
        ("tests/bot/test_clocks.py",),
    ),
}

COMPARED = ("Eq_NotEq", "NotEq_Eq", "Lt_LtE", "LtE_Lt", "Gt_GtE", "GtE_Gt", "Lt_GtE", "Gt_LtE", "Is_IsNot", "IsNot_Is")
RECKONED = (
    *("Add_Sub", "Sub_Add", "Mul_Add", "FloorDiv_Mul", "Mod_Add"),
    *("BitAnd_BitOr", "BitOr_BitAnd", "LShift_RShift", "RShift_LShift"),
)
KINDS = (
    *(f"core/ReplaceComparisonOperator_{pair}" for pair in COMPARED),
    *(f"core/ReplaceBinaryOperator_{pair}" for pair in RECKONED),
    *("core/AddNot", "core/ReplaceAndWithOr", "core/ReplaceOrWithAnd"),
    *("core/ReplaceTrueWithFalse", "core/ReplaceFalseWithTrue", "core/ReplaceBreakWithContinue"),
    *("core/ReplaceContinueWithBreak", "core/ZeroIterationForLoop", "core/ReplaceUnaryOperator_Delete_Not"),
)
"""The library's faults that are used: one counterpart for each operator, since the others add little."""

PATIENCE = 900.0
"""Seconds after which a run counts as noticed: the fault made an infinite loop."""


class DropStatement(Operator):  # type: ignore[misc]
    """Leaves out a statement that is there for its effect: a call, or an assignment to an attribute or item."""

    def mutation_positions(self, node: object) -> Iterator[object]:
        """Yield the positions where this fault can be made."""
        if _is_statement(node):
            yield (node.start_pos, node.end_pos)  # type: ignore[attr-defined]

    def mutate(self, node: object, index: int) -> object:
        """Return the node with the fault."""
        name = get_ast("pass").children[0]
        name.prefix = node.get_first_leaf().prefix  # type: ignore[attr-defined]
        return name

    @classmethod
    def examples(cls) -> Sequence[object]:
        """Return none; the class asks for them."""
        return ()


class OffByOne(Operator):  # type: ignore[misc]
    """Makes a whole number one larger or one smaller."""

    def mutation_positions(self, node: object) -> Iterator[object]:
        """Yield the positions where this fault can be made: twice at every number."""
        if getattr(node, "type", "") == "number" and str(node.value).isdigit():  # type: ignore[attr-defined]
            yield (node.start_pos, node.end_pos)  # type: ignore[attr-defined]
            yield (node.start_pos, node.end_pos)  # type: ignore[attr-defined]

    def mutate(self, node: object, index: int) -> object:
        """Return the node with the fault."""
        node.value = str(int(node.value) + (1, -1)[index])  # type: ignore[attr-defined]
        return node

    @classmethod
    def examples(cls) -> Sequence[object]:
        """Return none; the class asks for them."""
        return ()


def _is_statement(node: object) -> bool:
    parent = getattr(node, "parent", None)
    if parent is None or parent.type != "simple_stmt":
        return False
    if isinstance(node, ExprStmt):
        target = node.children[0]
        return isinstance(target, PythonNode) and target.type == "atom_expr"
    return isinstance(node, PythonNode) and node.type in ("atom_expr", "await")


@dataclass(frozen=True, slots=True)
class Mutant:
    """A fault: at the `occurrence`-th place in a file where an operator can make it."""

    room: str
    path: str
    operator: str
    occurrence: int

    def change(self) -> str:
        """Return the lines that the fault removes and adds, as a diff shows them: the key in the list of survivors."""
        before = (ROOT / self.path).read_text(encoding="utf-8")
        lines = unified_diff(before.splitlines(), self.code(before).splitlines(), n=0, lineterm="")
        return "\n".join(line for line in lines if line[:1] in "+-" and line[:3] not in ("+++", "---"))

    def code(self, source: str) -> str:
        """Return the file with the fault in it."""
        changed = mutate_code(source, _operators()[self.operator], self.occurrence)
        assert changed is not None, "the occurrence was counted before"
        return str(changed)


@cache
def _operators() -> Mapping[str, Operator]:
    made = {name: plugins.get_operator(name)() for name in KINDS}
    return {**made, "drop-statement": DropStatement(), "off-by-one": OffByOne()}


def faults(room: str) -> list[Mutant]:
    """Return every fault that can be made in a room, always in the same order; not all leave a file that compiles."""
    found = []
    for pattern in ROOMS[room].files:
        for file in sorted(ROOT.glob(pattern)):
            path = file.relative_to(ROOT).as_posix()
            source = file.read_text(encoding="utf-8")
            nodes = list(ast_nodes(get_ast(source)))
            for name, operator in _operators().items():
                places = sum(len(list(operator.mutation_positions(node))) for node in nodes)
                found += [Mutant(room, path, name, number) for number in range(places)]
    return found


def draw(possible: Sequence[Mutant], size: int, dice: random.Random) -> list[Mutant]:
    """Return up to `size` of the faults that change what a file does, in random order."""
    order = dice.sample(possible, len(possible))
    return list(islice((fault for fault in order if _has_effect(fault)), size))


def _has_effect(fault: Mutant) -> bool:
    """Return True if the changed file is Python (`*` between arguments is no product) and differs beyond its types."""
    source = (ROOT / fault.path).read_text(encoding="utf-8")
    try:
        return _without_types(fault.code(source)) != _without_types(source)
    except SyntaxError:
        return False


def _without_types(source: str) -> str:
    """Return a file's syntax tree without annotations, which nothing evaluates, as text. Raises SyntaxError."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None
        elif isinstance(node, ast.AnnAssign):
            node.annotation = ast.Constant(None)
    return ast.dump(tree)


def read_survivors() -> Mapping[tuple[str, str], str]:
    """Return the accepted survivors, by file and change, with the reason."""
    if not SURVIVORS.exists():
        return {}
    listed = tomllib.loads(SURVIVORS.read_text(encoding="utf-8")).get("survivor", [])
    return {(entry["file"], entry["change"].strip()): entry["reason"] for entry in listed}


@cache
def near(room: str, path: str) -> tuple[str, ...]:
    """Return the tests that run first for a file: the room's general ones, then those close to it.

    Close means a test file that imports the file, is named after it, or uses the service of that name
    (`tables.absence.`).
    """
    stem = Path(path).stem
    close = re.compile(rf"\b{re.escape(path[:-3].replace('/', '.'))}\b|\btables\.{stem}\.")
    files = [file for folder in ROOMS[room].tests for file in sorted((ROOT / folder).rglob("test_*.py"))]
    found = [file for file in files if file.stem == f"test_{stem}" or close.search(file.read_text(encoding="utf-8"))]
    return tuple(dict.fromkeys((*ROOMS[room].first, *(file.relative_to(ROOT).as_posix() for file in found))))


def is_noticed(fault: Mutant, tree: Path, *, near_only: bool = False) -> bool:
    """Return True if tests fail with this fault in a copy of the tree: those close to it, then the rest of its room."""
    file = tree / fault.path
    source = file.read_text(encoding="utf-8")
    file.write_text(fault.code(source), encoding="utf-8")
    first = near(fault.room, fault.path)
    try:
        if _fail(tree, first):
            return True
        return not near_only and _fail(tree, ROOMS[fault.room].tests, *(f"--ignore={path}" for path in first))
    except subprocess.TimeoutExpired:
        return True
    finally:
        file.write_text(source, encoding="utf-8")


def _fail(tree: Path, tests: Sequence[str], *options: str) -> bool:
    """Return True if any of these tests fails in a copy of the tree; raises TimeoutExpired."""
    # What PostgreSQL or a browser would notice, SQLite and SimCord have noticed already.
    chosen = ["-m", "not postgres and not browser", *options, *tests]
    command = [sys.executable, "-B", "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *chosen]
    return subprocess.run(command, cwd=tree, capture_output=True, timeout=PATIENCE, check=False).returncode != 0


def copies(folder: Path, number: int) -> Iterator[Path]:
    """Yield copies of what git tracks, one for each worker."""
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True).stdout
    for index in range(number):
        tree = folder / str(index)
        for name in filter(None, tracked.split("\0")):
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, tree / name)
        yield tree


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw a sample, try it, and report what survived."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description=__doc__.splitlines()[0])
    parser.add_argument("--room", choices=ROOMS, action="append", help="only this room (may be given again)")
    parser.add_argument("--file", help="only faults in this file")
    parser.add_argument("--sample", type=int, default=40, help="faults a room (default 40)")
    parser.add_argument("--seed", type=int, default=1, help="which sample is drawn (default 1)")
    parser.add_argument("--near", action="store_true", help="only the tests close to each file: quick, and stricter")
    parser.add_argument("--workers", type=int, default=2, help="how many run at the same time (default 2)")
    chosen = parser.parse_args(arguments)

    dice = random.Random(chosen.seed)
    sample: list[Mutant] = []
    for room in chosen.room or ROOMS:
        possible = [fault for fault in faults(room) if chosen.file in (None, fault.path)]
        drawn = draw(possible, chosen.sample, dice)
        sample += drawn
        print(f"{room}: {len(drawn)} of {len(possible)} faults", flush=True)

    known, trees, began = read_survivors(), SimpleQueue[Path](), time.monotonic()
    survivors: list[Mutant] = []
    with tempfile.TemporaryDirectory(prefix="dog-mutants-") as folder:
        for tree in copies(Path(folder), chosen.workers):
            trees.put(tree)

        def attempt(fault: Mutant) -> None:
            tree = trees.get()
            try:
                if is_noticed(fault, tree, near_only=chosen.near):
                    return
            finally:
                trees.put(tree)
            reason = known.get((fault.path, fault.change()))
            if reason is None:
                survivors.append(fault)
            print(
                f"survived: {fault.path} ({fault.operator})\n{fault.change()}\n  {reason or 'NOT LISTED'}", flush=True
            )

        with ThreadPoolExecutor(chosen.workers) as workers:
            list(workers.map(attempt, sample))
    print(f"{len(sample)} faults, {len(survivors)} survivors that are not listed, {time.monotonic() - began:.0f} s")
    return 1 if survivors else 0


if __name__ == "__main__":
    raise SystemExit(main())
