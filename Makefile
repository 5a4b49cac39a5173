# Everything happens in .venv, which is made on first use and made anew when the dependencies change.
PYTHON ?= python3
BIN := .venv/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
READY := .venv/.ready

# Hundreds of tests start the program: without its bytecode on disk each of them would compile all of it again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup demo docs release test test-all test-ray test-neighbours lint bench golden fuzz load clean

setup: $(READY)

$(READY): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Playmill needs Python 3.11 or newer")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $(READY)

demo: $(READY)
	$(BIN)/python tools/demo.py

# The documentation as a site, in out/site/index.html; it needs no network to be read.
docs: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	NO_MKDOCS_2_WARNING=1 $(BIN)/python tools/docs.py

# The sdist and the wheel, tried in fresh environments on the oldest and the newest Python there is.
release: $(READY)
	$(BIN)/python tools/release.py

# All that guards behaviour, with a quarter of the examples; test-all tries all of them and adds the long proofs:
# storms, fuzz, the wheel, C, notebooks, whole games by keys.
test: $(READY)
	$(BIN)/python -m pytest --numprocesses auto -m "not long" --hypothesis-profile quick

test-all: $(READY)
	$(BIN)/python -m pytest --numprocesses auto

# A real cluster on this machine. Ray is large (260 MB installed), so the usual tests do without it.
test-ray: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[ray]'
	$(BIN)/python -m pytest tests/lab/executors

# Games in the tools of neighbours. OpenSpiel and PyTorch, which SB3 learns with, are large: the usual tests do without.
test-neighbours: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[gymnasium,openspiel,pettingzoo,sb3]'
	$(BIN)/python -m pytest tests/adapters

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Games a second, then ratios to C beside those of earlier commits, and which commit made something slower.
bench: $(READY)
	mkdir -p out
	$(BIN)/playmill bench --neighbours --out out/bench.json
	if command -v gcc > /dev/null; then $(BIN)/python tools/c_ratios.py; else echo 'no gcc: nothing is compared with C'; fi

golden: $(READY)
	$(BIN)/python tools/golden.py

# How long and from which seed: make fuzz MINUTES=60 SEED=7. What it finds is kept in out/fuzz.
fuzz: $(READY)
	$(BIN)/python tools/fuzz.py --minutes $(or $(MINUTES),5) --seed $(or $(SEED),0)

# What the tables in the browser stand: 100 tables beside 10,000 half-open connections, then 2,000 spectators at one.
load: $(READY)
	$(BIN)/python tools/table_load.py --half-open 10000

clean:
	rm -rf .venv out build dist
