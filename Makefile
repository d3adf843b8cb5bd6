# Everything a person does with a checkout. `make` alone lists it.
SHELL := /bin/bash
PYTHON ?= python3
BIN := .venv/bin
UV_VERSION := 0.13.9
LOCK_FLAGS := --format requirements-txt --no-emit-project --no-annotate --no-header --extra night --extra dev
export LITELLM_LOCAL_MODEL_COST_MAP := True

.DEFAULT_GOAL := help
.PHONY: help install night test check format types imports docs lock clean

help: ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /\1\t/' | expand -t 12

install: .venv/installed ## make .venv with everything from the hash lock, bytecode compiled

.venv/installed: requirements.lock pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)
	$(BIN)/uv pip install --quiet --require-hashes --compile-bytecode -r requirements.lock --python $(BIN)/python
	$(BIN)/uv pip install --quiet --no-deps -e . --python $(BIN)/python
	@touch $@

lock: ## resolve again and write requirements.lock (hashes, no addresses)
	$(BIN)/uv lock --quiet --upgrade
	$(BIN)/uv export --quiet $(LOCK_FLAGS) > requirements.lock
