# Two commands are enough for a newcomer: make demo, make test. What they need: Python 3.11+ with headers and venv,
# make, git, g++, and a package index.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip --disable-pip-version-check
NATIVE := $(wildcard native/*.cpp native/*.hpp) CMakeLists.txt pyproject.toml
FORMATTED := $(filter-out native/unicode_%,$(wildcard native/*.cpp native/*.hpp))
FUZZ_SECONDS ?= 20
WORKERS ?= auto
# What tests need comes in versions that are known to work; CONSTRAINTS= takes the newest (see the file).
CONSTRAINTS ?= tests/constraints.txt
PINNED := $(if $(CONSTRAINTS),--constraint $(CONSTRAINTS))

.PHONY: help demo site test test-heavy test-late lint lint-js types doctest check-moses check-comet check-lighteval check-stems schema constraints wmt17 doctor simulate simulate-meta test-native fuzz bench bench-memory bench-matching bench-heavy load load-service kill-service check \
	release rehearsal cross notices format clean

help:
	@echo "make demo         build, install into $(VENV), score the bundled sample"
	@echo "make test         the same set-up, then the whole test suite"
	@echo "make test-heavy   tests of contextual encoders: installs torch (a CPU build), two minutes of tests"
	@echo "make site         the documentation site, into site/: strict links, notebooks run, checked in a browser"
	@echo "make check        lint, types and doctests"
	@echo "make test-late    the pages' tests with every callback held back: finds tests that do not wait (ten minutes)"
	@echo "make lint-js      the pages' scripts, linted and formatted as biome.json says (needs node)"
	@echo "make test-native  the native core under AddressSanitizer and UndefinedBehaviorSanitizer, with fuzzing"
	@echo "make check-moses  the Moses tokeniser against sacremoses on all of WMT17's texts (three minutes)"
	@echo "make check-comet  outside:program=comet against the real unbabel-comet, with tiny models (installs torch)"
	@echo "make check-lighteval  a whole offline run of the real lighteval with our metrics (installs torch)"
	@echo "make check-stems  stems of 15 languages against METEOR's jar on 2.4 million words of Debian packages (Java, apt)"
	@echo "make wmt17        the tables of docs/wmt17.md, computed anew from ../shared/data (half a minute)"
	@echo "make trained      the tables of docs/trained.md: trained metrics on WMT17 (installs torch; ten minutes)"
	@echo "make doctor       the tables of docs/doctor.md: real files damaged in every way (five minutes)"
	@echo "make simulate     error rates of tests and intervals by every metric, into docs/significance.md and docs/evidence/tests.md (half an hour)"
	@echo "make simulate-meta  error rates of the tests that compare metrics, into docs/meta-significance.md (half an hour)"
	@echo "make release      sdist and wheels built, audited, installed in clean environments; stops before uploading (docs/release.md)"
	@echo "make rehearsal    the same where something is still in the way of a release, which it names"
	@echo "make cross        the native core for 64-bit ARM under emulation, and by clang for every platform (Debian's packages)"
	@echo "make notices      THIRD_PARTY_NOTICES anew"
	@echo "make schema       data/schema.json anew, from an example of every kind of result"
	@echo "make constraints  tests/constraints.txt anew: the versions that tests are run with"
	@echo "make fuzz         property tests against sacrebleu for FUZZ_SECONDS each (default $(FUZZ_SECONDS))"
	@echo "make load         200 simulated annotators on loopback: requests a second, 99th percentile"
	@echo "make load-service documents sent to the service on loopback: segments a second, 99th percentile, memory"
	@echo "make kill-service the service killed 50 times under load on each database (a quarter of an hour)"
	@echo "make bench        ratios against sacrebleu and other peers, measured in one run"
	@echo "make bench-memory memories of one, two and four million units: time and memory"
	@echo "make bench-matching proposals from 100,000, a million and four million units; what is missed; tantivy"
	@echo "make bench-heavy  contextual metrics against sentence-transformers, MBR against mbrs: installs torch"

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

# Editable, so that changed Python code is live; the native core is built again when its sources change.
$(VENV)/.installed: $(BIN)/python $(NATIVE)
	$(PIP) install --quiet --editable .
	@touch $@

$(VENV)/.installed-test: $(BIN)/python $(NATIVE)
	$(PIP) install --quiet $(PINNED) --editable '.[test]'
	@touch $(VENV)/.installed $@

$(VENV)/.installed-bench: $(VENV)/.installed
	$(PIP) install --quiet $(call EXTRA,bench)
	@touch $@

# What an extra of ours names, to install it without building the core again.
EXTRA = $$($(BIN)/python -c "import tomllib; print(*tomllib.load(open('pyproject.toml', 'rb'))['project']['optional-dependencies']['$(1)'])")

# torch goes first and by itself: left to the resolver, it may come with gigabytes for GPUs.
TORCH ?= torch==2.13.0
$(VENV)/.installed-heavy: $(VENV)/.installed-test
	$(PIP) install --quiet $(TORCH)
	$(PIP) install --quiet $(PINNED) $(call EXTRA,test-heavy)
	$(PIP) install --quiet --no-deps lighteval==0.13.0  # which pins an older nltk than other tests have
	@touch $@

# mbrs by itself: its BLEU and chrF need torch only, and it would bring unbabel-comet (5 GB).
$(VENV)/.installed-bench-heavy: $(VENV)/.installed
	$(PIP) install --quiet $(TORCH)
	$(PIP) install --quiet $(call EXTRA,embeddings) $(call EXTRA,bench-heavy)
	$(PIP) install --quiet --no-deps mbrs==0.1.8
	@touch $@

$(VENV)/.installed-docs: $(VENV)/.installed-test
	$(PIP) install --quiet $(PINNED) $(call EXTRA,docs)
	@touch $@

# Pictures first, then pages; then a browser opens them from the disk (tools/site/check.py).
site: $(VENV)/.installed-docs
	$(BIN)/python -m tools.site.pictures
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	$(BIN)/python -m tools.site.check

demo: $(VENV)/.installed
	@$(BIN)/tertium demo

# What fails while everything else runs is asked once more, alone: a browser or a server that was starved for a minute is
# told from a fault, and both runs are printed.
test: $(VENV)/.installed-test
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile || { test $$? -eq 1 && \
	echo "Once more, alone, what failed:" && $(BIN)/python -m pytest --last-failed --last-failed-no-failures none; }

test-heavy: $(VENV)/.installed-heavy
	$(BIN)/python -m pytest -m heavy

# The pages' tests with every callback held back: what does not wait for the page fails always.
test-late: $(VENV)/.installed-test
	TERTIUM_LATE=300 $(BIN)/python -m pytest -q tests/report tests/app/test_[abdlmps]*.py

lint: $(VENV)/.installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@if command -v clang-format >/dev/null; then clang-format --dry-run --Werror $(FORMATTED); \
	else echo "clang-format is not installed: the format of native/ was not checked"; fi

# Of the pages' scripts. Needs node; the tool is the one that biome.json names.
BIOME := $(shell sed -n 's|.*schemas/\([0-9.]*\)/.*|@biomejs/biome@\1|p' biome.json)
lint-js:
	npx --yes $(BIOME) check .

types: $(VENV)/.installed-test
	$(BIN)/mypy

doctest: $(VENV)/.installed-test
	$(BIN)/python -m pytest --doctest-modules src/tertium --doctest-glob='*.md' docs README.md

check: lint types doctest

check-moses: $(VENV)/.installed-test
	$(BIN)/python -m tools.check_moses --show 3

check-comet: $(VENV)/.installed-test
	$(BIN)/python -m tools.check_comet

check-lighteval: $(VENV)/.installed-test
	$(BIN)/python -m tools.check_lighteval

check-stems: $(VENV)/.installed-test
	$(BIN)/python -m pytest -q tests/text/test_stemmers.py  # fetches the jar
	$(BIN)/python -m tools.check_stems

schema: $(VENV)/.installed-test
	$(BIN)/python -m tools.schema

wmt17: $(VENV)/.installed
	$(BIN)/python -m tools.wmt17_page --threads 2

trained: $(VENV)/.installed-heavy
	$(BIN)/python -m tools.trained_table $(if $(UD),--ud $(UD))
	$(BIN)/python -m tools.blend_sets

doctor: $(VENV)/.installed-test
	$(BIN)/python -m tools.doctor_table

simulate: $(VENV)/.installed-heavy
	$(BIN)/python -W ignore -m tools.simulate --page
	$(BIN)/python -W ignore -m tools.simulate_few --page
	$(BIN)/python -W ignore -m tools.simulate_others --page

simulate-meta: $(VENV)/.installed-heavy
	$(BIN)/python -m tools.simulate_meta --page docs/meta-significance.md

# In an environment that was made with CONSTRAINTS= and whose tests are green. torch has its own line above.
constraints: $(VENV)/.installed-heavy $(VENV)/.installed-docs
	{ sed '/^[^#]/d' tests/constraints.txt; $(PIP) freeze --exclude tertium --exclude torch --exclude-editable | sort -f; } > tests/constraints.new
	mv tests/constraints.new tests/constraints.txt

format: $(VENV)/.installed-test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	! command -v clang-format >/dev/null || clang-format -i $(FORMATTED)
	! command -v npx >/dev/null || npx --yes $(BIOME) check --write .

# A second environment, because an instrumented module needs the sanitiser's runtime loaded before Python.
.venv-native/.installed: $(NATIVE)
	test -x .venv-native/bin/python || $(PYTHON) -m venv .venv-native
	.venv-native/bin/pip --disable-pip-version-check install --quiet . --config-settings=cmake.define.TERTIUM_SANITIZE=ON
	@touch $@

test-native: .venv-native/.installed
	LD_PRELOAD="$$(g++ -print-file-name=libasan.so) $$(g++ -print-file-name=libstdc++.so)" \
	PYTHONMALLOC=malloc ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
	.venv-native/bin/python tests/native/fuzz.py --seconds $(FUZZ_SECONDS)

fuzz: $(VENV)/.installed-test
	TERTIUM_FUZZ=$(FUZZ_SECONDS) $(BIN)/python -m pytest tests/families/test_properties.py tests/text

bench: $(VENV)/.installed-bench
	$(BIN)/python -m benchmarks

load: $(VENV)/.installed-test
	$(BIN)/python -m benchmarks.annotators
	$(BIN)/python -m benchmarks.annotators --db postgresql

load-service: $(VENV)/.installed-test
	$(BIN)/python -m benchmarks.service
	$(BIN)/python -m benchmarks.service --db postgresql

kill-service: $(VENV)/.installed-test
	$(BIN)/python -m tools.service_kills 50

bench-memory: $(VENV)/.installed-bench
	$(BIN)/python -m benchmarks.memory --millions 1 2 4

bench-matching: $(VENV)/.installed-bench
	$(BIN)/python -m benchmarks.matching 100000 1000000 4000000
	$(BIN)/python -m benchmarks.matching_recall

bench-heavy: $(VENV)/.installed-bench-heavy
	$(BIN)/python -m benchmarks.contextual
	$(BIN)/python -m benchmarks.mbr

# Stops before uploading, and says what to type then. WHEELS=FOLDER: wheels that a forge built, instead of building some here.
release: $(VENV)/.installed-test
	$(BIN)/python -m tools.release.rehearse $(if $(WHEELS),--wheels $(WHEELS))

rehearsal: $(VENV)/.installed-test
	$(BIN)/python -m tools.release.rehearse --rehearse $(if $(WHEELS),--wheels $(WHEELS))

cross: $(VENV)/.installed-test
	$(BIN)/python -m tools.release.cross
	$(BIN)/python -m tools.release.zig

notices: $(VENV)/.installed-test
	$(PIP) install --quiet nanobind
	$(BIN)/python -m tools.release.notices

clean:
	rm -rf build dist site $(VENV) .venv-native .mypy_cache .ruff_cache .pytest_cache .hypothesis
