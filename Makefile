# Everything happens in .venv, which is made on first use and made anew when the dependencies change.
PYTHON ?= python3
BIN := .venv/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
READY := .venv/.ready

.PHONY: setup demo test lint bench golden clean

setup: $(READY)

$(READY): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Playmill needs Python 3.11 or newer")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $(READY)

demo: $(READY)
	$(BIN)/python tools/demo.py

test: $(READY)
	$(BIN)/python -m pytest --numprocesses auto --dist loadgroup

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(READY)
	mkdir -p out
	$(BIN)/playmill bench --out out/bench.json

golden: $(READY)
	$(BIN)/python tools/golden.py

clean:
	rm -rf .venv out build dist
