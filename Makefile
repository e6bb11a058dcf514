# Thin wrappers: each target first makes .venv if it is absent or older than what it is made from.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: book test quick test-oldest test-newest lint notebooks bench mutate serve test-site clean

book: $(READY)
	$(BIN)/python tools/fill_cache.py
	$(BIN)/jupyter-book build . -W --keep-going || { rm -rf _build/.doctrees; exit 1; }   # or the next build would not warn again

test: $(READY)
	$(BIN)/pytest

# One test in sixty of every kind, and two chapters: under a minute.
quick: $(READY)
	$(BIN)/pytest tests book/erm.ipynb book/online-learning.ipynb --sample 60

# The stored outputs of the notebooks are those of one version, so these two leave the book out.
test-oldest:
	test -x .venv-oldest/bin/python || $(PYTHON) -m venv .venv-oldest
	sed 's/>=/==/' requirements.txt > .venv-oldest/requirements.txt
	.venv-oldest/bin/python -m pip install --quiet -r .venv-oldest/requirements.txt
	.venv-oldest/bin/pytest tests --ignore tests/site --ignore tests/book

test-newest:
	test -x .venv-newest/bin/python || $(PYTHON) -m venv .venv-newest
	.venv-newest/bin/python -m pip install --quiet --upgrade --upgrade-strategy eager -r requirements.txt
	.venv-newest/bin/pytest tests --ignore tests/site --ignore tests/book

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

notebooks: $(READY)
	$(BIN)/python tools/run_notebooks.py

bench: $(READY)
	$(BIN)/python -m benchmarks --write

mutate: $(READY)
	$(BIN)/python -m pip install --quiet cosmic-ray
	$(BIN)/python tools/mutate.py $(ARGS)

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
