# Thin wrappers: each target first makes .venv if it is absent or older than what it is made from.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: book test lint notebooks bench serve test-site clean

book: $(READY)
	$(BIN)/python tools/fill_cache.py
	$(BIN)/jupyter-book build . -W --keep-going || { rm -rf _build/.doctrees; exit 1; }   # or the next build would not warn again

test: $(READY)
	$(BIN)/pytest

lint: $(READY)
	$(BIN)/ruff check .

notebooks: $(READY)
	$(BIN)/python tools/run_notebooks.py

bench: $(READY)
	$(BIN)/python -m benchmarks

serve: book
	$(BIN)/python tools/serve.py $(PORT)

test-site: book
	$(BIN)/python tools/site/run.py

clean:
	rm -rf _build

$(READY): requirements.txt pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet -r requirements.txt
	touch $@
