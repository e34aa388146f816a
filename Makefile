# Everything a checkout needs, from Python 3.11 or later, make and a C compiler.
# `make` lists what there is.

# The first that runs: a name on PATH may be a shim for a version that isn't installed.
PYTHON ?= $(shell for name in python3 python3.13 python3.12 python3.11; do \
  $$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$name && break; done)
VENV   := .venv
RUN    := $(VENV)/bin/python
READY  := $(VENV)/.ready
# pytest's workers; every core by default.
JOBS   ?= auto
N      ?= 1000
SEED   ?= 1

.DEFAULT_GOAL := help
.PHONY: help setup demo test fuzz test-slow test-gpu lint format clean

help: ## Say what there is to make
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

setup: $(READY) ## Install lumc, a device compiler and the tools to test it into .venv

$(READY): pyproject.toml
	@test -n "$(PYTHON)" || \
	  { echo "Python 3.11 or later is needed; name one with make PYTHON=..." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(RUN) -m pip install --quiet --disable-pip-version-check --editable '.[toolchain,dev]'
	@touch $@

demo: $(READY) ## Compile FLUX.2 Klein 9B for an MI300X, and run a tiny one on the emulator
	$(RUN) scripts/demo.py

test: $(READY) ## All tests that need no GPU and take no minutes each
	$(RUN) -m lumc doctor
	$(RUN) -m pytest -q -n $(JOBS)

test-slow: $(READY) ## The tests that take minutes
	$(RUN) -m pytest -q -rs -n $(JOBS) -m "slow and not gpu"

fuzz: $(READY) ## N random specs with random kernels on the emulator, from SEED on
	$(RUN) -m tests.fuzz.fuzzing --count $(N) --seed $(SEED)

test-gpu: $(READY) ## The tests that need a GPU
	$(RUN) -m pytest -q -m gpu

lint: $(READY) ## Style, formatting and types
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check .
	$(RUN) -m mypy

format: $(READY) ## Format the code
	$(RUN) -m ruff format .
	$(RUN) -m ruff check --fix .

clean: ## Remove what was built and installed here
	rm -rf $(VENV) build dist out *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
