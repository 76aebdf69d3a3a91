# Everything below makes its own virtual environment in .venv and installs what it needs from pinned versions.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
DEV := $(VENV)/.installed-dev

.PHONY: demo test check bench pictures lock clean

demo: $(STAMP)
	$(BIN)/assay demo

test: $(DEV)
	$(BIN)/python -m pytest -n auto --dist loadfile

check: $(DEV)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(DEV)
	$(BIN)/python -m benchmarks

# The README's pictures, from a real sweep, in a headless Chromium.
pictures: $(DEV)
	$(BIN)/python scripts/pictures.py

$(STAMP): requirements/base.txt pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements/base.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

$(DEV): $(STAMP) requirements/dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements/dev.txt
	touch $@

# Pins for requirements/*.txt from the ranges in pyproject.toml; run after a dependency changes.
COMPILE := $(BIN)/uv pip compile --quiet --no-header --python-version 3.11 pyproject.toml
lock: $(DEV)
	$(COMPILE) --extra report requirements/base.in -o requirements/base.txt
	$(COMPILE) --extra report --extra models --extra frames --extra audit -c requirements/base.txt requirements/base.in requirements/dev.in -o requirements/dev.txt

clean:
	rm -rf $(VENV) build dist src/*.egg-info .pytest_cache .mypy_cache .ruff_cache
