# make map    set up printkit, generate a battlefield, print its map
# make studio set up printkit, open it in the browser
# make test   set up printkit, run the tests
#
# They need Python 3.11 or later with venv, and nothing else; without make: python tools/setup.py map. Options:
# make map ARGS="--seed 7 --sheet a3", make test ARGS="tests/page"

PYTHON ?= python3
VENV ?= .venv
BENCH ?= .venv-bench
LOWEST ?= .venv-lowest
BIN := $(VENV)/bin
SOURCES := pyproject.toml constraints.txt
ARGS ?=

.PHONY: help map studio site web app test test-studio studio-fonts studio-pictures test-lowest check soak clauses gallery look freeze mutants size bench words clean

help:
	@$(PYTHON) tools/setup.py --help

map: $(VENV)/.installed
	@$(BIN)/printkit map $(ARGS)

# Options: make studio ARGS="--port 8080"
studio: $(VENV)/.installed
	@$(BIN)/printkit studio $(ARGS)

test: $(VENV)/.installed-test
	$(BIN)/python -m pytest $(ARGS)

# The same with every library at its lower bound, in an environment of its own; Python 3.11 has a wheel of each.
test-lowest: $(LOWEST)/.tested
	$(LOWEST)/bin/python -m pytest $(ARGS)

# The studio and the page for the phone, in the Chromium of the system; where there is none, that is said, and no more.
test-studio: $(VENV)/.installed-test,test-studio
	$(BIN)/python -m pytest -m browser -n 0 $(ARGS)

studio-pictures: $(VENV)/.installed-test,test-studio
	$(BIN)/python tools/studio/picture.py

# Programs that need no Python, for the system on which this runs, in dist/app; then two dozen commands are tried.
app: $(VENV)/.installed-test
	$(BIN)/python tools/release/app.py
	$(BIN)/python tools/smoke.py --program dist/app/$(if $(filter Darwin,$(shell uname)),command-line,printkit)/printkit

# The pages of docs/ as a site with pictures that are made for it, in dist/site.
site: $(VENV)/.installed-site
	$(BIN)/python tools/site

# The page without installation, put together in dist/web; ARGS="--pyodide https://example.org/pyodide/" for a copy of it.
web: $(VENV)/.installed-test
	$(BIN)/python tools/release/web.py $(ARGS)

# The type of the studio's pages, cut out of fonts/.
studio-fonts: $(VENV)/.installed-studio-fonts
	$(BIN)/python tools/studio/fonts.py

# Change one thing at a time in a copy of the package and see whether a test fails: ARGS="--again 60 --only systems/acw"
mutants: $(VENV)/.installed-test
	$(BIN)/python tools/mutants.py $(ARGS)

check: $(VENV)/.installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

soak: $(VENV)/.installed-test
	$(BIN)/python -m pytest -m soak
	$(BIN)/python tools/soak.py
	$(BIN)/python tools/soak_maps.py
	$(BIN)/python tools/soak_portable.py
	$(BIN)/python tools/soak_acw.py
	$(BIN)/python tools/soak_dba.py
	$(BIN)/python tools/soak_solo.py
	$(BIN)/python tools/soak_replay.py
	$(BIN)/python tools/soak_rules.py
	$(BIN)/python tools/soak_evenings.py
	$(BIN)/python tools/voice/soak_voice.py
	$(BIN)/python tools/soak_processes.py
	$(BIN)/python tools/fuzz.py

clauses: $(VENV)/.installed-test
	$(BIN)/python tools/clauses_doc.py

gallery: $(VENV)/.installed-test
	$(BIN)/python tools/gallery.py

# How full boards are; or places to read: make look ARGS="--reading FOLDER --count 20"
# Or how labels stand, by boards that are not drawn: make look ARGS="--labels --count 150"
look: $(VENV)/.installed-test
	@$(BIN)/python tools/look $(ARGS)

# What the program writes, against tests/frozen.txt. Options: make freeze ARGS="--write", ARGS="--check --only 'cards/*'"
freeze: $(VENV)/.installed-test
	@$(BIN)/python tools/freeze.py $(or $(ARGS),--check)

# What a language lacks beside English, and files to translate it in: make words ARGS="fr --out FOLDER"
words: $(VENV)/.installed
	@$(BIN)/python tools/languages/missing_texts.py $(ARGS)

# How large the package is. Options: make size ARGS="--since HEAD~9", ARGS="--rooms"
size: $(VENV)/.installed
	@$(BIN)/python tools/size.py $(ARGS)

# The peers have an environment of their own. Options: make bench ARGS="--quick", ARGS="--only maps", ARGS="--count 500"
bench: $(BENCH)/.installed
	@$(BENCH)/bin/python -m benchmarks.run $(ARGS)

clean:
	rm -rf $(VENV) $(BENCH) $(LOWEST) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/.installed: $(SOURCES)
	@VENV=$(VENV) $(PYTHON) tools/setup.py --install ""

$(VENV)/.installed-%: $(SOURCES)
	@VENV=$(VENV) $(PYTHON) tools/setup.py --install $*

$(LOWEST)/.tested: $(SOURCES) tools/lowest.py
	@test -x $(LOWEST)/bin/python || $(PYTHON) -m venv $(LOWEST)
	@$(PYTHON) tools/lowest.py >$(LOWEST)/lowest.txt
	@$(LOWEST)/bin/python -m pip install --quiet --disable-pip-version-check -c $(LOWEST)/lowest.txt -e ".[test]"
	@touch $@

$(BENCH)/.installed: $(SOURCES) benchmarks/constraints.txt
	@test -x $(BENCH)/bin/python || $(PYTHON) -m venv $(BENCH)
	@$(BENCH)/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -c benchmarks/constraints.txt -e ".[bench]"
	@$(BENCH)/bin/python -m pip install --quiet --disable-pip-version-check -c benchmarks/constraints.txt -e ".[bench-cairo]" \
		2>/dev/null || echo "pycairo cannot be set up here, for it needs the headers of cairo; it is left out" >&2
	@touch $@
