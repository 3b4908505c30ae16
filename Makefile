# Everything a newcomer or developer does here, one word each: `make help` lists it.
# Needed beforehand: Python 3.11 or newer, make and git. Whatever else is used goes into .venv, in the versions that
# pins/ names, and only if their files are the ones that were meant (hashes).

VENV := .venv
PY := $(VENV)/bin/python
PORT ?= 8123
LOCALE ?=
SPEED ?=
# One more than there are cores: the tests over the wire wait most of their time.
WORKERS ?= $(shell echo $$(($$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2) + 1)))
# The Pythons to try, best first; `make PYTHON=/path/to/python ...` puts another one before them.
PYTHONS := $(PYTHON) python3 python3.13 python3.12 python3.11 python3.14 python

# One stamp for each set of packages; they are made again when the wishes or the pins change.
PINS := pyproject.toml $(wildcard pins/*.txt)
RUN := $(VENV)/.ready-run
PLAY := $(VENV)/.ready-play
DEV := $(VENV)/.ready-dev
PIP := $(PY) -m pip --quiet --quiet --disable-pip-version-check --no-input install --no-compile
# First what the list names; then the project itself, which is not on the list, and for which nothing is fetched.
INSTALL = $(PIP) --require-hashes --requirement pins/$(1).txt && $(PIP) --no-deps --no-build-isolation --editable .

# Every process would compile all that it imports anew; a run of the tests starts some two hundred.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: languages help play run test lint lint-types lint-imports format fuzz mutants bench compiled load soak shards hostile messages docs pictures lock setup clean
.DEFAULT_GOAL := help

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 18

play: $(PLAY) ## a local table in the browser, no Discord needed (PORT=8123, NO_BROWSER=1, LOCALE=de, fr or xx, SPEED=120, SCENARIO=royal-endgame)
	@$(PY) -m tools.local --port $(PORT) $(if $(NO_BROWSER),--no-browser) $(if $(LOCALE),--locale $(LOCALE)) $(if $(SPEED),--speed $(SPEED)) $(if $(SCENARIO),--scenario $(SCENARIO))

run: $(RUN) ## the bot on Discord, with the token from .env
	@$(PY) -m bot

test: lint ## lint, types, import rules, catalogues and the whole test suite
	@$(PY) -m pytest -n $(WORKERS) --dist worksteal

lint: $(DEV) ## style, types, import rules and catalogues
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check --quiet . || { echo "make format puts this right"; exit 1; }
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target lint-types lint-imports

# The two that take long, side by side.
lint-types: $(DEV)
	@$(PY) -m mypy

lint-imports: $(DEV)
	@$(VENV)/bin/lint-imports --no-cache
	@$(PY) -m tools.catalogues check

format: $(DEV) ## put code into the house style
	@$(PY) -m ruff check --fix .
	@$(PY) -m ruff format .

fuzz: $(DEV) ## 100,000 positions and 10,000 malformed ones against the reference engine
	@$(PY) -m tests.fuzz --positions 100000 --malformed 10000

mutants: $(DEV) ## faults put into the code that the tests have to notice (SAMPLE=40, SEED=1; takes an hour or more)
	@$(PY) -m tools.mutants $(if $(SAMPLE),--sample $(SAMPLE)) $(if $(SEED),--seed $(SEED))

bench: $(DEV) ## how fast the engine and the pictures are, and what 10,000 open tables cost
	@$(PY) -m tools.bench

compiled: $(DEV) ## the engine in C, in build/compiled: its tests, the same games as plain Python, and how much faster
	@$(PY) -m tools.compiled

load: $(DEV) ## what the real process carries over the wire: 1,000 games, growing load (LOAD="run --rate 5 --seconds 60")
	@$(PY) -m tools.campaigns.load $(or $(LOAD),ramp)

soak: $(DEV) ## kills, lost answers, outages, stops (SOAK="kills --times 200")
	@$(PY) -m tools.campaigns.soak $(SOAK)

shards: $(DEV) ## three processes with nine shards on one PostgreSQL, one killed every 20 s (SHARDS="--actions 5000 --seconds 600")
	@$(PY) -m tools.campaigns.shards $(SHARDS)

hostile: $(DEV) ## 22,000 forged presses, odd texts and wrong types against the real process
	@$(PY) -m tools.campaigns.hostile --count 22000

languages: $(DEV) ## before a release: translations complete, in place, in whole games with no English word (LOCALE=fr: in this one); takes minutes
	@$(PY) -m tools.catalogues complete $(LOCALE)
	@EVERY_LANGUAGE=$(or $(LOCALE),1) $(PY) -m pytest -n $(WORKERS) --dist worksteal tests/cogs/people/test_every_language.py \
	  tests/tools/test_pages.py tests/tools/test_screens.py tests/bot/showing/test_largest.py tests/bot/texts/test_fitting.py \
	  tests/bot/texts/test_captions.py tests/cogs/people/test_suggestions.py \
	  tests/cogs/tables/test_dm_tables.py tests/cogs/clocks/test_letters.py

messages: $(DEV) ## collect the texts into the catalogues, say what languages lack; the commands into docs
	@$(PY) -m tools.catalogues extract
	@$(PY) -m tools.commands

docs: $(DEV) ## the docs as a site, in site/
	@NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs --quiet build

pictures: $(DEV) ## draw the pictures of the README and the rules pages
	@$(PY) -m tools.pictures rules docs/rules/img
	@$(PY) -m tools.pictures gallery --readme docs/img

lock: $(DEV) ## write pins/ and the list of licences anew (UPGRADE=1: with the newest versions)
	@$(PY) -m tools.lock $(if $(UPGRADE),--upgrade)
	@$(PY) -m tools.licences

setup: $(DEV) ## only set up .venv

clean: ## remove .venv and everything that was made, but no games in data/
	@rm -rf $(VENV) build dist site *.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .benchmarks
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(PY):
	@chosen=; for python in $(PYTHONS); do \
	  if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then chosen=$$python; break; fi; \
	done; \
	if [ -z "$$chosen" ]; then \
	  echo "This needs Python 3.11 or newer, and found none (tried: $(strip $(PYTHONS)))." >&2; \
	  echo "Install one, or name it: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)" >&2; exit 1; \
	fi; \
	echo "Making $(VENV) with $$("$$chosen" --version) ..."; \
	if ! "$$chosen" -m venv $(VENV); then \
	  rm -rf $(VENV); \
	  echo "This Python cannot make a virtual environment. On Debian and Ubuntu: sudo apt install python3-venv" >&2; \
	  exit 1; \
	fi

$(RUN): $(PINS) | $(PY)
	@echo "Installing what the bot needs (a minute) ..."
	@$(call INSTALL,run)
	@touch $@

$(PLAY): $(PINS) | $(PY)
	@echo "Installing what the local table needs (once; a minute or two) ..."
	@$(call INSTALL,play)
	@touch $(RUN) $@

$(DEV): $(PINS) | $(PY)
	@echo "Installing what development needs (once; a minute or two) ..."
	@$(call INSTALL,dev)
	@touch $(RUN) $(PLAY) $@
