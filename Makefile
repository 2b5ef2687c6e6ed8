# The two commands of the README are `make demo` and `make test`; both make .venv first.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
# What the tests use of taquin's extras.
EXTRAS := pictures,cluster,stats,graphs,gym,papers,web
# One more than there are cores: many tests wait for processes, pages and clocks.
WORKERS := $(shell $(PYTHON) -c 'import os; print((os.cpu_count() or 1) + 1)')
# A test that hangs ends here; none takes nearly as long.
TIMEOUT := --timeout 600
PYTEST := $(BIN)/pytest -n $(WORKERS) --dist worksteal -q $(TIMEOUT)

# The tests start hundreds of processes, which should not compile the same modules again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo check check-api fuzz test test-all test-checked test-lowest bench docs kernels kernels-all kernels-checked editor wheels release-check clean
.DEFAULT_GOAL := demo

$(BIN)/python:
	@echo "making the environment in .venv ..."
	@$(PYTHON) -c 'import sys; sys.exit("taquin needs Python 3.11 or later, this is %d.%d: make demo PYTHON=/path/to/python3" % sys.version_info[:2] if sys.version_info < (3, 11) else 0)'
	@$(PYTHON) -m venv .venv

# taquin and its page: all that the demo needs.
.venv/.demo: pyproject.toml | $(BIN)/python
	@echo "installing taquin into .venv ..."
	@$(PIP) install --editable '.[web]'
	@touch $@

# Dependency groups need pip 25.1.
.venv/.ready: pyproject.toml | $(BIN)/python
	@echo "installing taquin and what its tests need into .venv ..."
	@$(PIP) install --upgrade 'pip>=25.1'
	@$(PIP) install --editable '.[$(EXTRAS)]' --group test
	@touch .venv/.demo $@

# The browser tests are skipped where there is no browser and none may be installed.
.venv/.browser: .venv/.ready
	@$(BIN)/python -m tests.web.browser.chrome
	@touch $@

# So are the tests that need packages of npm: another Python, and checks of the page's scripts.
.venv/.npm: .venv/.ready tests/npm.py
	@$(BIN)/python -m tests.npm
	@touch $@

demo: .venv/.demo
	@$(BIN)/python -m tools.demo

# What changed against main: linters, types, and the fast tests of the packages concerned.
check: .venv/.ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(PYTEST) -m "not slow" $$($(BIN)/python -m tools.changed)

# A minute of Schemathesis: requests made from /api/openapi.json, to `taquin serve` on this machine.
check-api: .venv/.ready
	$(PYTEST) -m "slow or not slow" tests/web/test_openapi.py

test: .venv/.ready .venv/.browser .venv/.npm
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(PYTEST) -m "not slow"

test-all: .venv/.ready .venv/.browser .venv/.npm
	@$(PIP) install --group kernels
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(PYTEST)
	$(MAKE) test-checked

# The property tests of all engines, with kernels that check addresses, arithmetic and every index:
# three times as slow as without.
test-checked: .venv/.ready
	checked=$$($(BIN)/python -m tools.kernels --checked) && env $$checked $(PYTEST) --timeout 3000 tests/engine/test_every_engine.py

# A minute of random puzzles and tables, with the same kernels.
fuzz: .venv/.ready
	$(BIN)/python -m tools.fuzz

# With the declared minimum versions of all that taquin needs, in an environment of their own.
test-lowest: .venv/.ready
	@$(PIP) install uv
	@$(BIN)/uv venv --quiet --clear .venv/lowest
	@$(BIN)/uv pip install --quiet --python .venv/lowest --resolution lowest-direct --editable '.[$(EXTRAS)]' --group test
	.venv/lowest/bin/python -m pytest -n $(WORKERS) --dist worksteal -q $(TIMEOUT) -m "not slow" -W default

bench: .venv/.ready
	$(BIN)/python benchmarks/glass_box.py
	$(BIN)/python benchmarks/overhead.py
	$(BIN)/python benchmarks/engine.py --large --twentyfour
	$(BIN)/python benchmarks/general.py --nodes

# Each of these has an environment of its own, which the tests cannot see.
.venv/%/.ready: pyproject.toml | $(BIN)/python
	@$(PYTHON) -m venv .venv/$*
	@.venv/$*/bin/python -m pip --quiet --disable-pip-version-check install --upgrade 'pip>=25.1'
	@.venv/$*/bin/python -m pip --quiet --disable-pip-version-check install --editable . --group $*
	@touch $@

# The documentation as a site, into site/; `python -m http.server -d site` shows it.
docs: .venv/docs/.ready
	@NO_MKDOCS_2_WARNING=1 .venv/docs/bin/python -m mkdocs build --strict

# The libraries in src/taquin/native/: of this machine, and of all platforms before a commit; and one
# with checks by the system's compiler, whose environment is printed.
kernels: .venv/kernels/.ready
	@.venv/kernels/bin/python -m tools.kernels

kernels-all: .venv/kernels/.ready
	@.venv/kernels/bin/python -m tools.kernels --all

kernels-checked: .venv/.ready
	@$(BIN)/python -m tools.kernels --checked

# Builds the wheel of every platform, and tries out that of this machine.
wheels: .venv/build/.ready
	@.venv/build/bin/python -m tools.wheels

# The page's bundle of CodeMirror, from npm's packages in the versions of a lock file.
editor: .venv/.ready
	@$(BIN)/python -m tools.editor

# All that can be checked before a release; TAG=v1.2.3 compares the tag too.
release-check: .venv/build/.ready
	@.venv/build/bin/python -m tools.release "$$TAG"

clean:
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache build dist site
