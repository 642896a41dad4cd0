# From a bare machine with Python 3.11 or newer, pip and make: `make tournament`, `make test`.
PYTHON ?= python3
JOBS ?= 2

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
LOWEST := $(VENV)/lowest
DEMO := data/runs/demo
DEMO_FIELD := counter,cautious,bold,gambler,random_legal
SAMPLE := data/sample
SAMPLE_FIELD := counter,cautious,bold,doubler,gambler:threshold=0.5
NOTEBOOKS := $(basename $(notdir $(wildcard notebooks/*.ipynb)))

PYTEST := -m pytest -n $(JOBS) --dist loadscope --no-loadscope-reorder -q
PIP := -m pip install --quiet --disable-pip-version-check --no-compile

define NEW_ENOUGH
@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	echo "Back Alley needs Python 3.11 or newer; '$(PYTHON)' is $$($(PYTHON) --version 2>/dev/null || echo not there)." >&2; \
	echo "Name another: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
endef

# Modules are compiled when they are first imported, not all of them while they are installed.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help tournament report sample test check lint format types lowest wheel bench environments clean

help: ## Show the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' Makefile

tournament: $(READY) ## Play the demonstration tournament into data/runs/demo
	$(BIN)/backalley run --strategies $(DEMO_FIELD) --matches 2000 --seed 7 --out $(DEMO) --overwrite

report: $(READY) ## Make the reports of the sample run into build/
	@mkdir -p build
	@for notebook in $(NOTEBOOKS); do \
		$(BIN)/backalley report $(SAMPLE) --notebook $$notebook --out build/$$notebook.html || exit 1; done

sample: $(READY) ## Play the sample run of data/sample again, and draw the README's pictures from it
	$(BIN)/backalley run --strategies $(SAMPLE_FIELD) --matches 1000 --seed 7 --shard-shuffles 125 --out $(SAMPLE) --overwrite
	$(BIN)/backalley verify $(SAMPLE) --all
	$(BIN)/python .ci/pictures.py

test: $(READY) ## Run all tests
	$(BIN)/python $(PYTEST)

check: lint types test lowest wheel ## Everything that CI runs

lint: $(READY) ## Check style and formatting
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(READY) ## Mend formatting and what else ruff can mend
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(READY) ## Check types
	$(BIN)/mypy

lowest: $(LOWEST)/ready ## Run the quick tests on the oldest dependencies that pyproject.toml allows, checking array bounds
	NUMBA_BOUNDSCHECK=1 $(LOWEST)/bin/python $(PYTEST) -m "not slow" -W default --ignore tests/game

wheel: $(READY) ## Build the wheel into dist/ and look for what must be in it
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .
	$(BIN)/python .ci/wheel.py dist

bench: $(READY) ## Measure speed, memory and bytes a match
	$(BIN)/backalley bench

clean: ## Remove the environments, caches and builds; runs in data/ stay
	rm -rf $(VENV) build dist .pytest_cache .hypothesis .mypy_cache .ruff_cache
	find sim strategies tests -name __pycache__ -type d -prune -exec rm -rf {} +

environments: $(READY) $(LOWEST)/ready ## Make both environments, as `make -j2 environments` at once

# An environment is made again, in place, when what it is made from has changed.
$(READY): pyproject.toml constraints.txt
	$(NEW_ENOUGH)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python $(PIP) --constraint constraints.txt --editable '.[dev]'
	@touch $@

$(LOWEST)/ready: pyproject.toml .ci/lowest.py
	$(NEW_ENOUGH)
	$(PYTHON) -m venv $(LOWEST)
	$(PYTHON) .ci/lowest.py > $(LOWEST)/constraints.txt
	$(LOWEST)/bin/python $(PIP) --constraint $(LOWEST)/constraints.txt --editable '.[test,dask]'
	@touch $@
