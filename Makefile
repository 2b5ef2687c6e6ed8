# The two commands of the README are `make demo` and `make test`; both make .venv first.
PYTHON ?= python3
BIN := .venv/bin
# One more than there are cores: many tests wait for processes, pages and clocks.
WORKERS := $(shell $(PYTHON) -c 'import os; print((os.cpu_count() or 1) + 1)')

# The tests start hundreds of processes, which should not compile the same modules again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test test-all test-lowest test-newest bench docs wheels release-check clean
.DEFAULT_GOAL := demo

.venv/.ready: pyproject.toml
	@test -x $(BIN)/python || { echo "making the environment in .venv ..."; $(PYTHON) -m venv .venv; }
	@$(BIN)/python -c 'import sys; sys.exit("taquin needs Python 3.11 or later, this is %d.%d: make demo PYTHON=/path/to/python3" % sys.version_info[:2] if sys.version_info < (3, 11) else 0)'
	@echo "installing taquin into .venv ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	@touch $@

# The browser tests are skipped where there is no browser and none may be installed.
.venv/.browser: .venv/.ready
	@$(BIN)/python -m tests.web.browser.chrome
	@touch $@

# So are the tests that need packages of npm: another Python, and checks of the page's scripts.
.venv/.npm: .venv/.ready tests/npm.py
	@$(BIN)/python -m tests.npm
	@touch $@

demo: .venv/.ready
	@$(BIN)/taquin solve "8 6 7 / 2 5 4 / 3 0 1"

test: .venv/.ready .venv/.browser .venv/.npm
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -q -m "not slow"

test-all: .venv/.ready .venv/.browser .venv/.npm
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -q

# With the declared minimum versions of all that taquin needs, in an environment of their own.
test-lowest: .venv/.ready
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	@$(BIN)/uv venv --quiet --clear .venv/lowest
	@$(BIN)/uv pip install --quiet --python .venv/lowest --resolution lowest-direct --editable '.[test]'
	.venv/lowest/bin/python -m pytest -n $(WORKERS) --dist worksteal -q -m "not slow" -W default

# With the newest Numba, release candidates included; it compiles everything anew.
test-newest: .venv/.ready
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade --pre numba llvmlite
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -q -m "not slow" tests/engine tests/system tests/tables

bench: .venv/.ready
	$(BIN)/python benchmarks/glass_box.py
	$(BIN)/python benchmarks/seam.py
	$(BIN)/python benchmarks/engine.py --large --twentyfour
	$(BIN)/python benchmarks/general.py --nodes

# The documentation as a site, into site/; `python -m http.server -d site` shows it.
docs: .venv/.ready
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

# Compiles the kernels for every platform, builds their wheels, and tries out that of this machine.
wheels: .venv/.ready
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[build]'
	$(BIN)/python -m tools.wheels

# All that can be checked before a release; TAG=v1.2.3 compares the tag too.
release-check: .venv/.ready
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[build,docs]'
	@$(BIN)/python -m tools.release $(TAG)

clean:
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache build dist site
