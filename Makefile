# Everything a person does with a checkout. `make` alone lists it.
SHELL := /bin/bash
PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3 python; do \
	$$p -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null && echo $$p && break; done)
BIN := .venv/bin
UV_VERSION := 0.13.9
LOCK_FLAGS := --format requirements-txt --no-emit-project --no-annotate --no-header --extra night --extra dev
STORE ?= store
SAMPLE := samples/week.jsonl
SAMPLE_AS_OF := 2026-03-09T03:00:00Z
SAMPLE_QUESTION := How do the evening orders come?

# Imports are twice as fast from bytecode, so a variable that forbids writing it is emptied; and nothing phones home.
export PYTHONDONTWRITEBYTECODE =
export DO_NOT_TRACK = 1
export GX_ANALYTICS_ENABLED = false
export LITELLM_LOCAL_MODEL_COST_MAP = True
export PREFECT_SERVER_ANALYTICS_ENABLED = false
export PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS = 180

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help install night test slow check format lint types imports docs up down ui lock clean

help: ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /\1\t/' | expand -t 12

install: .venv/installed ## make .venv with everything from the hash lock, bytecode compiled

.venv/installed: requirements.lock pyproject.toml
	@test -n "$(PYTHON)" || { echo "No Python 3.11 to 3.13 found; name one: make install PYTHON=/path/to/python3.11"; exit 2; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)
	$(BIN)/uv pip install --quiet --require-hashes --compile-bytecode -r requirements.lock --python $(BIN)/python
	$(BIN)/uv pip install --quiet --no-deps -e . --python $(BIN)/python
	@touch $@

night: ## consolidate the sample week into ./store, then show the snapshot and one recalled answer
	$(BIN)/slowwave night --store $(STORE) --source jsonl=$(SAMPLE) --as-of $(SAMPLE_AS_OF) || [ $$? -eq 5 ] # 5: its damaged line
	$(BIN)/slowwave show --store $(STORE)
	$(BIN)/slowwave recall --store $(STORE) -k 1 "$(SAMPLE_QUESTION)"

test: check ## format, lint, types and imports, then the tests; each slow set runs in part
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not slow"

slow: ## the slow tests, in whole: kills at every border, every damage on every platform, a thousand permutations
	$(BIN)/python -m pytest -n 2 --dist worksteal -m slow --timeout 1800

check: lint types imports ## everything but the tests: format, lint, types and imports, changing nothing

format: ## rewrite the source in the house's format, and mend what ruff can mend
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

lint:
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types:
	$(BIN)/pyright

imports:
	$(BIN)/lint-imports --no-logo

docs: ## write the generated pages again: tables, settings, licences
	$(BIN)/python docs/tables_page.py
	$(BIN)/python docs/settings_page.py
	$(BIN)/python docs/licences.py

up: ## nights of STORE that run by themselves: a Prefect server, a worker and everything deployed, on loopback
	$(BIN)/slowwave up --store $(STORE)

down: ## end what `make up` started; stores stay as they are
	$(BIN)/slowwave down

ui: ## a Prefect server on this machine alone, at http://127.0.0.1:4200
	@echo 'In another terminal: export PREFECT_API_URL=http://127.0.0.1:4200/api'
	$(BIN)/prefect server start --host 127.0.0.1 --port 4200

lock: ## resolve again and write requirements.lock (hashes, no addresses)
	$(BIN)/uv lock --quiet --upgrade
	$(BIN)/uv export --quiet $(LOCK_FLAGS) > requirements.lock

clean: ## remove caches and build folders; .venv and stores stay
	rm -rf dist build .pytest_cache .ruff_cache .hypothesis .import_linter_cache *.egg-info
	find . -path ./.venv -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +
