# All commands of the project. `make` without a target lists them. Targets install missing tools (see .ci/tools).
SHELL := bash
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory
export PATH := $(shell .ci/tools path)

WASM := --target wasm32-unknown-unknown
# The Rust libraries that the benchmark compares with are in a separate crate.
BENCH_CRATE := --manifest-path tests/bench/rust/Cargo.toml --target-dir target/bench/cargo
# Responses recorded from the real service. `make conformance` decodes them too, where the folder exists.
RECORDED := ../shared/api/recorded
# Invalid mocks in that folder: they lack fields, or have placeholders instead of hashes. Decoding must fail.
EXPECTED_FAILURES := rest/address-logs/002.json rest/address-logs/004.json rest/token-transfers/002.json \
  rest/address/008.json rest/nft-collections/004.json rest/tokens/008.json rest/tokens/010.json
# The folder `tokens` there has the tokens of an address, not of the chain.
RECORDED_METHODS := tokens=address-tokens
# OpenAPI documents that the publisher of the service provides: of two versions of an instance, and of the gateway. `make prism`
# uses them, where they exist.
OPENAPI := $(wildcard $(addprefix ../shared/api/,openapi-ethereum.yaml openapi-ethereum-12-preview.yaml openapi-pro-12.json))
# Number of responses of `make prism`, for each method and document.
ANSWERS ?= 40
# Number of runs of `make soak`, each with its own seed: in virtual time, and over HTTP.
SEEDS ?= 1000
HTTP_SEEDS ?= 20
# Fast checks first, so that mistakes are found early. Each list of steps contains the one before.
CHECK := tools lint test-native
TEST := $(CHECK) test-types size test-js test-package test-web test-e2e conformance
# These take long, or need tools and packages that the others do not need.
TEST_ALL := $(TEST) lint-all docs contribute test-types-all test-e2e-all test-guide matrix test-mutants commands

help: ## list all commands
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

demo: page ## build the package and the demo page, serve the page and open it in a browser
	node www/serve.mjs --open

check: ## run the fast checks: format, lint, the types of the package and the native tests
	$(call run-steps,$(CHECK))

test: ## run all checks of what the READMEs promise, and stop at the first failure
	$(call run-steps,$(TEST))

test-all: ## run the long checks too, which take hours: many seeds, all versions, all examples, and each command once
	$(call run-steps,$(TEST_ALL))

define run-steps
@for step in $(1); do printf '\n=== %s\n' "$$step"; start=$$SECONDS; \
  $(MAKE) "$$step" || { printf '\n=== %s FAILED\n' "$$step"; exit 1; }; \
  printf '=== %s passed in %d s\n' "$$step" $$((SECONDS - start)); done; \
printf '\nAll checks passed in %d s.\n' $$SECONDS
endef

build: pkg/package.json ## build the npm package into pkg/

page: target/page/index.html ## build the demo page into target/page

guide: target/guide/site/index.html ## build the guide into target/guide/site

site: page guide ## write the demo page on sample data and the guide into target/site
	node www/build-site.mjs

size: build ## print the size of the package, and of the module by source file; fails for a growth without a recorded reason
	@node pkg-template/build/size.mjs

# A check does not link, so the fuzz targets need no libFuzzer, whose compilation needs a C++ compiler.
lint: tests/node_modules pkg-template/build/node_modules | rust ## lint JavaScript and Rust, check formatting and the types of the package, and compile every crate and script; warnings are errors
	tests/node_modules/.bin/biome check --error-on-warnings
	for script in .ci/run .ci/tools tests/fuzz/run; do bash -n "$$script" || exit 1; done
	mkdir -p target/generated && cargo run --bin generate -- target/generated
	pkg-template/build/node_modules/.bin/tsc --project pkg-template --noEmit
	git ls-files 'src/*.rs' 'tests/native/*.rs' 'tests/web/*.rs' | xargs awk 'FNR == 701 { print FILENAME ": more than 700 lines"; long = 1 } END { exit long }'
	cargo fmt --check
	cargo fmt --check --manifest-path tests/fuzz/Cargo.toml
	cargo fmt --check --manifest-path tests/bench/rust/Cargo.toml
	cargo clippy --all-targets --test layers -- -D warnings
	cargo clippy $(WASM) --lib --test web --features bench -- -D warnings
	cargo check --locked $(BENCH_CRATE)
	cargo check --locked $(BENCH_CRATE) --lib $(WASM)
	CUSTOM_LIBFUZZER_PATH=none/libfuzzer.a cargo check --locked --manifest-path tests/fuzz/Cargo.toml --target-dir target/fuzz

# The examples of the docs are compiled for WebAssembly, but not run there: `true` runs them.
lint-all: | rust ## check the layers of the crate, lint it with each set of features, and build the Rust docs and their examples; warnings are errors
	cargo test --test layers
	cargo clippy $(WASM) --lib --test web -- -D warnings
	cargo clippy $(WASM) --lib --features js -- -D warnings
	RUSTDOCFLAGS='-D warnings' cargo doc $(WASM) --no-deps --lib
	RUSTDOCFLAGS='-D warnings' cargo doc $(WASM) --no-deps --lib --features js
	CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER=true cargo test $(WASM) --doc

format: tests/node_modules | rust ## format JavaScript and Rust
	tests/node_modules/.bin/biome format --write
	cargo fmt
	cargo fmt --manifest-path tests/fuzz/Cargo.toml
	cargo fmt --manifest-path tests/bench/rust/Cargo.toml

test-native: | rust ## run the Rust unit and integration tests natively
	cargo test

test-js: build www/node_modules ## run the JavaScript tests in Node.js
	@node tests/run.mjs $(wildcard tests/*.test.mjs tests/js/*.test.mjs)

test-types: build www/node_modules www/guide/node_modules ## check the types of the demo page and the guide, the type declarations and the documented examples
	www/node_modules/.bin/tsc --project www
	www/guide/node_modules/.bin/tsc --project www/guide
	node tests/types/run.mjs

test-types-all: build ## check the type declarations and documented examples with each supported TypeScript version
	node tests/types/run.mjs --all

contribute: build www/node_modules | rust ## apply the diffs of CONTRIBUTING.md to a copy of the sources, compile the copy and run its tests
	node --test --test-reporter=spec tests/contribute/diffs.test.mjs

docs: target/types.json ## check the comments of the types, and read the types for the guide

# The owner is written before the build, which derives every link from it.
release-check: | node rust ## check version, changelog, package contents, licenses, links and the packaged crate before publishing: make release-check OWNER=name
	$(if $(OWNER),node tests/package/owner.mjs '$(OWNER)')
	$(MAKE) size
	node tests/package/release.mjs

test-package: build | browser ## install the packed package into empty projects and use it there
	node tests/run.mjs $(wildcard tests/package/*.test.mjs)

matrix: build tests/package/consumers/node_modules | browser ## test the package in all supported bundlers, frameworks and runtimes
	node tests/package/matrix.mjs

loading: build tests/package/consumers/node_modules tests/bench/node_modules | browser ## measure each way to load the module: bytes, and time to the first page: make loading SERVICE=300 CPU=4
	node tests/package/load-times.mjs $(if $(SERVICE),--service $(SERVICE)) $(if $(CPU),--cpu $(CPU))

compare: build tests/package/compare/node_modules ## compare the package with plain fetch and ethers when the service fails
	node tests/package/compare/compare.mjs

test-web: build | rust wasm-bindgen wasm-pack browser ## run the Rust tests in headless Chrome with wasm-pack
	node tests/run-web.mjs

test-e2e: site | browser ## run the main end-to-end tests of the demo page, and a quick one of the guide, in headless Chrome
	node tests/e2e/run.mjs

test-e2e-all: site | browser ## run all end-to-end tests of the demo page
	node tests/e2e/run.mjs --all

test-guide: site | rust wasm-bindgen wasm-pack browser ## run every example of the guide in headless Chrome, and check its links, its search and its accessibility
	node --test --test-reporter=spec $(wildcard tests/guide/*.test.mjs)

test-mutants: page | rust browser ## change twelve lines, one at a time, and check that `make test` notices each
	node tests/mutants.mjs

screenshots: page | browser ## take screenshots of every tab of the demo page into target/screens, and the one that the README shows
	node tests/e2e/screenshots.mjs

long-tasks: page | browser ## walk through the demo page, and list the tasks that delay input on a processor four times slower: make long-tasks SLOWDOWN=4
	node tests/e2e/long-tasks.mjs $(if $(SLOWDOWN),--slowdown $(SLOWDOWN))

engines: page | rust wasm-bindgen wasm-pack browser firefox webkit ## run the headless suite, the demo page and the store in Chromium, Firefox and WebKit: make engines ONLY=firefox
	node tests/engines/run.mjs $(ONLY)

# JavaScript tests that read more seeds, services or addresses if SEEDS is set.
RANDOM_TESTS := tests/sample-ledger.test.mjs $(addprefix tests/js/,$(addsuffix .test.mjs,activity-kinds activity-random approvals audit \
  changing-service early-random estimate history-complete history-random history-reorganised hostile-values merge-histories page-size portfolio \
  store-random watch watch-live))
RUN_TESTS := node --import ./tests/untracked-promises.mjs --max-semi-space-size=64 --test
soak: build | rust ## read all data while 30 % of the requests fail: make soak SEEDS=1000
	SEEDS=$(SEEDS) cargo test --release --test native -- --nocapture soak throttling page_size ornaments
	SEEDS=$(HTTP_SEEDS) $(RUN_TESTS) --test-reporter=spec tests/js/soak.test.mjs
	SEEDS=$(SEEDS) $(RUN_TESTS) --test-reporter=dot $(RANDOM_TESTS)

commands: ## run each command of the READMEs and of CONTRIBUTING.md in its shortest form
	$(MAKE) soak SEEDS=100 HTTP_SEEDS=2
	$(MAKE) compare
	$(MAKE) requests
	$(MAKE) pace HTTP_SEEDS=1
	$(MAKE) bench ONLY=decode QUICK=1
	$(MAKE) memory CALLS=100
	KILLS=20 node --test --test-reporter=spec tests/package/store.test.mjs
	$(MAKE) loading
	$(MAKE) long-tasks
	$(MAKE) screenshots
	$(MAKE) prism ANSWERS=1
	$(MAKE) engines
	$(MAKE) fuzz SECONDS=5
	$(MAKE) mutants FILE=src/client/list/keyset_parts.rs

# Number of calls of each kind.
CALLS ?= 10000
memory: build | browser ## count the WebAssembly memory that calls leave behind, in Node and Chromium: make memory CALLS=10000
	node pkg-template/build/build.mjs --bench
	CALLS=$(CALLS) node tests/memory/run.mjs

bench: build tests/bench/node_modules | rust wasm-bindgen browser ## run the benchmarks against other libraries: make bench ONLY="decode stream" QUICK=1
	node pkg-template/build/build.mjs --bench
	cargo build --release --locked --lib $(WASM) $(BENCH_CRATE)
	cargo run --locked --bin tables $(BENCH_CRATE) > target/bench/tables.json
	node tests/bench/run.mjs $(if $(QUICK),--quick) $(ONLY)

store-bench: build | browser ## compare a stored history with the service on loopback in Chromium: make store-bench EVENTS=30000
	node tests/bench/store.mjs $(EVENTS)

requests: build ## count the requests, credits and seconds of long reads; compare with an earlier build: make requests COMPARE=../old/pkg
	node tests/bench/requests.mjs $(if $(COMPARE),--compare $(COMPARE))

route: build | rust ## count the functions, files and lines that one call executes, by coverage: make route LIST=1
	node tests/bench/route.mjs $(if $(LIST),--list)

pace: build ## compare the client with a plain loop while requests fail, over HTTP and in real time: make pace HTTP_SEEDS=4
	SEEDS=$(HTTP_SEEDS) node tests/bench/pace.mjs

conformance: | rust ## decode the committed and the recorded responses, or the responses in one folder: make conformance DIR=...
ifdef DIR
	cargo run --bin conformance -- '$(DIR)'
else
	cargo run --bin conformance -- tests/corpus
	@if [ -d '$(RECORDED)' ]; then cargo run --bin conformance -- '$(RECORDED)' $(EXPECTED_FAILURES) $(RECORDED_METHODS); \
	else echo 'SKIPPED: no recorded responses in $(RECORDED)'; fi
endif

ifeq ($(OPENAPI),)
prism:
	@echo 'SKIPPED: no OpenAPI documents of the service'
else
prism: build tests/prism/node_modules ## read each list and lookup from a mock of the published OpenAPI documents: make prism ANSWERS=40
	ANSWERS=$(ANSWERS) node tests/prism/run.mjs $(OPENAPI)
	node tests/prism/live.mjs $(firstword $(OPENAPI))
endif

# The gateway needs BLOCKSCOUT_API_KEY, and the id of a chain in its URL. RATE is the number of requests per second.
live: build ## check that a running instance is what the declarations say, over the network: make live URL=https://eth.blockscout.com
	node tests/live/run.mjs '$(URL)'

# Options: SECONDS per fuzz target, TARGET (default: all), and INPUT, a saved input to run once instead of fuzzing.
SECONDS = 60
fuzz: | rust cargo-fuzz ## fuzz the decoders and parsers: make fuzz SECONDS=... TARGET=... INPUT=...
	@tests/fuzz/run $(SECONDS) $(TARGET) $(INPUT)

# Code whose bugs are hard to notice: lost or repeated records, requests that are too fast, retries that do not end.
MUTATED := $(wildcard $(addprefix src/client/,$(addsuffix /*.rs,range rate_limiter read_ahead retry))) \
  src/decode/cursor.rs $(addprefix src/client/,list/keyset_parts.rs list/pager.rs list/reader.rs resume.rs)
# Option: FILE, one or several source files. Default: all of the above. .cargo/mutants.toml has the tests and the exceptions.
# Status 3 means that some mutants only looped until the timeout. That counts as noticed.
mutants: | rust cargo-mutants ## change the code in small ways and check that a test fails: make mutants FILE=src/client/retry/policy.rs
	SEEDS=6 CARGO_PROFILE_DEV_DEBUG=0 CARGO_TARGET_DIR='$(CURDIR)/target/mutants' \
	  cargo mutants $(addprefix --file=,$(or $(FILE),$(MUTATED))) || [ $$? = 3 ]

clean: ## remove all build output; installed tools stay
	rm -rf pkg target tests/fuzz/corpus $(TOOL_NODE_MODULES) $(OTHER_NODE_MODULES)

# The package is rebuilt only if one of its sources has changed.
SOURCES := Cargo.toml Cargo.lock LICENSE $(shell find src pkg-template www/guide/pages -name node_modules -prune -o -print)
pkg/package.json: $(SOURCES) pkg-template/build/node_modules | rust wasm-bindgen
	node pkg-template/build/build.mjs

target/page/index.html: pkg/package.json www/node_modules $(shell find www -path www/guide -prune -o -path www/examples -prune -o -not -path '*/node_modules*' -type f -print)
	cd www && node_modules/.bin/vite build

target/types.json: pkg/package.json tests/types/typedoc.json tests/node_modules
	tests/node_modules/.bin/typedoc --options tests/types/typedoc.json

target/guide/site/index.html: CHANGELOG.md pkg/package.json target/types.json www/guide/node_modules $(shell find www/guide -path '*/node_modules' -prune -o -type f -print)
	node www/guide/build.mjs

# The tools of the build and of the tests. None of these packages needs its install script.
TOOL_NODE_MODULES := pkg-template/build/node_modules tests/node_modules
$(TOOL_NODE_MODULES): %/node_modules: %/package.json %/package-lock.json %/.npmrc | node
	cd $(@D) && npm ci --prefer-offline --ignore-scripts
	@touch $@

# These import packages of tests/package.json.
test-js test-types test-types-all contribute test-package matrix loading test-web test-e2e test-e2e-all test-guide test-mutants screenshots long-tasks engines soak bench live store-bench memory: tests/node_modules

# Not `npm ci`: it rejects a lock file without the optional packages of other platforms, which some registries lack.
OTHER_NODE_MODULES := $(addsuffix /node_modules,www www/guide tests/bench tests/package/compare tests/package/consumers tests/prism)
$(OTHER_NODE_MODULES): %/node_modules: %/package.json %/package-lock.json %/.npmrc | node
	cd $(@D) && npm install --no-save --prefer-offline --ignore-scripts
	@touch $@

# .ci/tools checks on each run whether the tools exist (a few milliseconds), and installs missing ones.
TOOLS := node rust wasm-bindgen wasm-pack browser
tools: list-tools $(TOOLS) $(TOOL_NODE_MODULES) ## install all tools that `make test` needs
list-tools:
	@.ci/tools list $(TOOLS)

$(TOOLS) cargo-fuzz cargo-mutants firefox webkit:
	@.ci/tools $@

.PHONY: help list-tools demo test build page clean format fuzz mutants tools cargo-fuzz cargo-mutants firefox webkit $(TOOLS) $(TEST_ALL) check test-all matrix loading engines soak bench requests store-bench pace route docs release-check compare prism memory screenshots long-tasks site guide test-guide live
