# `make demo` shows the product, `make test` tests it, `make check` keeps the rules. Each sets up
# .venv when it must; all that is needed is Python >= 3.11 with pip, and make.

PYTHON ?= python3
VENV ?= .venv
JOBS ?= 2
# What CI asks of a database beside the contract of stores: the tests whose subject is rows, walls,
# history and what is found. All: make test-postgres ON_POSTGRES="tests/engine tests/dream"
ON_POSTGRES ?= $(addprefix tests/engine/test_,$(addsuffix .py,\
	as_known capacity ceiling decay edit forget granting leaving looking_back nights relations replay \
	session_wall strengths tiers together transfer undo walking walls))
# SQLite waits for the disk at each write. What the tests write is kept in memory where there is
# room (8 GB) and programs may run; what passed leaves nothing behind (pyproject.toml).
ROOM := $(shell test "$$(df -k --output=avail /dev/shm 2>/dev/null | tail -n 1)" -gt 8000000 2>/dev/null \
	&& ! grep -q '^[^ ]* /dev/shm [^ ]* [^ ]*noexec' /proc/mounts && echo /dev/shm)
BIN := $(VENV)/bin
# The contract of stores over PostgreSQL: a database for each of its 234 rules.
CONTRACT := tests/postgres/test_contract.py
PYTEST := $(if $(ROOM),TMPDIR=$(or $(TMPDIR),$(ROOM))) $(BIN)/python -m pytest --numprocesses $(JOBS)
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --no-input
GENERATORS := $(wildcard tools/generate_*.py)
TYPED := src tools $(sort $(dir $(wildcard benchmarks/*.py)) $(wildcard prove/src))

export PIP_ROOT_USER_ACTION := ignore
# Where nothing compiled is kept, each worker of the tests and each program they start compiles all of
# the package and of the tests anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo test test-long test-all test-postgres check lint types contracts sizes hosts docs \
	docs-check wheel bench prove browser acceptance pins format clean

help:
	@echo "make demo    an example conversation goes through the memory (under a minute)"
	@echo "make test    the tests, without those that take long (make test-all: with them)"
	@echo "make test-long   those that take half a second or more, which CI runs too"
	@echo "make test-postgres   what stands on a store, over a PostgreSQL of the run's own"
	@echo "make check   format, lint, types, import contracts, sizes, hosts, generated parts"
	@echo "make wheel   build the wheel and test it as installed"
	@echo "make bench   speed; with DATA=folder also the quality benchmarks"
	@echo "make prove   kill -9, power cuts, I/O errors ... in short form (FULL=1: the full figures)"
	@echo "make browser  300 hostile texts on the dashboard's pages, in Chromium (P-19)"
	@echo "make acceptance   real agents and the suites of others (npm; minutes)"
	@echo "make docs    write the generated parts again"
	@echo "make pins    pin the dependencies again (UPGRADE=1: the newest)"
	@echo "make clean   remove what the above made"

# A Python without ensurepip still has pip: it then installs pip into the environment.
$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "engraphy needs Python 3.11 or newer: make PYTHON=python3.12 ..."; exit 1; }
	@echo "Making $(VENV) ..."
	@$(PYTHON) -m venv $(VENV) >/dev/null 2>&1 \
		|| { $(PYTHON) -m venv --clear --without-pip $(VENV) \
		&& $(PYTHON) -m pip --python $(BIN)/python install --quiet pip; }

$(VENV)/core.stamp: requirements/core.txt pyproject.toml | $(BIN)/python
	@echo "Installing engraphy ..."
	@$(PIP) --require-hashes --requirement requirements/core.txt
	@$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/dev.stamp: requirements/dev.txt $(VENV)/core.stamp
	@echo "Installing what the tests and checks need ..."
	@$(PIP) --require-hashes --requirement requirements/dev.txt
	@touch $@

demo: $(VENV)/core.stamp
	@$(BIN)/engraphy demo

test: $(VENV)/dev.stamp
	$(PYTEST) --dist worksteal --ignore $(CONTRACT)

test-long: $(VENV)/dev.stamp
	$(PYTEST) --dist worksteal --ignore $(CONTRACT) -m 'long and not slow'

test-all: $(VENV)/dev.stamp
	$(PYTEST) --dist worksteal -m ''

test-postgres: $(VENV)/dev.stamp
	$(PYTEST) --dist loadfile -m 'not slow' --engine postgres $(CONTRACT) $(ON_POSTGRES)

check: lint types contracts sizes hosts docs-check

lint: $(VENV)/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/dev.stamp
	$(BIN)/mypy $(TYPED)

contracts: $(VENV)/dev.stamp
	$(BIN)/lint-imports --no-cache

sizes: $(VENV)/dev.stamp
	$(BIN)/python tools/check_sizes.py

hosts: $(VENV)/dev.stamp
	$(BIN)/python tools/check_hosts.py

docs: $(VENV)/dev.stamp
	@set -e; for tool in $(GENERATORS); do $(BIN)/python $$tool; done

docs-check: $(VENV)/dev.stamp
	@set -e; for tool in $(GENERATORS); do echo "$$tool --check"; $(BIN)/python $$tool --check; done

wheel: $(VENV)/dev.stamp
	$(BIN)/python tools/test_wheel.py

bench: $(VENV)/core.stamp
	$(BIN)/engraphy bench perf --sizes 1000,10000
ifdef DATA
	$(BIN)/engraphy bench locomo --data $(DATA)/locomo/locomo5.json
	$(BIN)/engraphy bench longmemeval --data $(DATA)/longmemeval/june_20q_300sessions.json
	$(BIN)/engraphy bench beam --data $(DATA)/beam
	$(BIN)/engraphy bench precision --data $(DATA)/precisionmembench
endif

$(VENV)/prove.stamp: prove/pyproject.toml $(VENV)/dev.stamp
	@$(PIP) --no-deps --no-build-isolation --editable prove
	@touch $@

prove: $(VENV)/prove.stamp
	$(BIN)/engraphy-prove all $(if $(FULL),--full)$(if $(QUICK),--quick)

# Chromium is Debian's, installed where it is missing and may be; see acceptance/browser/ready.sh.
browser: $(VENV)/dev.stamp
	@PYTHON=$(BIN)/python acceptance/browser/ready.sh
	$(BIN)/python -m pytest -m '' -s tests/dashboard/test_inert.py

# Real clients and the suites of others, installed from npm and PyPI when they are asked for.
acceptance: $(VENV)/dev.stamp
	@set -e; for script in acceptance/*.sh; do echo "$$script"; PYTHON=$(BIN)/python "$$script"; done

pins: $(VENV)/dev.stamp
	$(BIN)/python tools/pin.py $(if $(UPGRADE),--upgrade)

format: $(VENV)/dev.stamp
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
