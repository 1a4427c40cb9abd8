# Every command of the project; `make` alone lists them. Each target installs the tools it lacks (.ci/tools).
SHELL := bash
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory
export PATH := $(shell .ci/tools path)

WASM := --target wasm32-unknown-unknown
# The crate of the benchmark's contenders is a world of its own.
CONTENDERS := --manifest-path tests/bench/rust/Cargo.toml --target-dir target/bench/cargo
# A folder of stored answers to decode (`make conformance DIR=...`).
DIR ?= ../shared/api/recorded
# Mocks in that folder that have placeholders where hashes belong, or lack members: rightly refused.
REFUSED := rest/address-logs/002.json rest/address-logs/004.json rest/token-transfers/002.json
# Fault runs of `make soak`: in virtual time, and over HTTP.
SEEDS ?= 1000
HTTP_SEEDS ?= 20
# Cheap checks first, so that a mistake shows early.
STEPS := tools lint test-native size test-js test-types test-package test-web test-e2e conformance

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' Makefile

demo: build ## build, serve the demo page on sample data and open it
	node www/serve.mjs --open

test: ## run every check below, cheap ones first; stops at the first failure
	@for step in $(STEPS); do printf '\n=== %s\n' "$$step"; start=$$SECONDS; \
	  $(MAKE) "$$step" || { printf '\n=== %s FAILED\n' "$$step"; exit 1; }; \
	  printf '=== %s passed in %d s\n' "$$step" $$((SECONDS - start)); done; \
	printf '\nAll checks passed in %d s.\n' $$SECONDS

build: pkg/package.json ## build the npm package in pkg/

size: build ## exact sizes; fails over the budget
	@node pkg-template/build.mjs --size

lint: | rust ## formatting, clippy and docs, without warnings
	cargo fmt --check
	cargo fmt --check --manifest-path tests/fuzz/Cargo.toml
	cargo fmt --check --manifest-path tests/bench/rust/Cargo.toml
	cargo clippy --all-targets -- -D warnings
	cargo clippy $(WASM) --lib --test web -- -D warnings
	cargo clippy $(WASM) --lib --features js -- -D warnings
	cargo clippy $(WASM) --lib --features bench -- -D warnings
	RUSTDOCFLAGS='-D warnings' cargo doc $(WASM) --no-deps --lib --features js

test-native: | rust ## Rust tests on this machine
	cargo test

test-js: build ## Node tests of the JavaScript parts
	node --test --test-reporter=spec $(wildcard tests/*.test.mjs tests/js/*.test.mjs)

test-types: build ## the type declarations and documented examples, with each TypeScript that is supported
	node tests/types/run.mjs

docs: build ## API documentation in target/docs, from the comments of the type declarations
	tests/node_modules/.bin/typedoc --options tests/types/typedoc.json

release-check: size | rust ## what must hold before publishing: version, changelog, contents, licences
	node tests/package/release.mjs

test-package: build | browser ## npm pack, install into empty projects, use it there; the quick part of the matrix
	node --test --test-reporter=spec $(wildcard tests/package/*.test.mjs)

matrix: build tests/package/consumers/node_modules | browser ## the package in every bundler, framework and runtime
	node tests/package/matrix.mjs

loading: build | browser ## what each way to load the module costs: bytes, time to the first answer
	node tests/package/loading.mjs

compare: build tests/package/compare/node_modules ## the package beside plain fetch and ethers, when the service misbehaves
	node tests/package/compare/compare.mjs

test-web: tests/node_modules | rust wasm-bindgen wasm-pack browser ## Rust tests in a headless browser, by wasm-pack
	node tests/run-web.mjs

test-e2e: build | browser ## the demo page in a real browser
	node tests/e2e/run.mjs

engines: build | rust wasm-bindgen wasm-pack browser firefox webkit ## the headless suite and the demo page in three engines: make engines ONLY=firefox
	node tests/engines/run.mjs $(ONLY)

soak: build | rust ## read everything through 30 % faults: make soak SEEDS=1000
	SEEDS=$(SEEDS) cargo test --release --test native soak -- --nocapture
	SEEDS=$(HTTP_SEEDS) node --test --test-reporter=spec tests/js/soak.test.mjs

bench: build tests/bench/node_modules | rust wasm-bindgen browser ## measure beside the peers; all of it, or: make bench ONLY="decode stream" QUICK=1
	node pkg-template/build.mjs --bench
	cargo build --release --locked --lib $(WASM) $(CONTENDERS)
	cargo run --locked --bin tables $(CONTENDERS) > target/bench/tables.json
	node tests/bench/run.mjs $(if $(QUICK),--quick) $(ONLY)

conformance: | rust ## decode a folder of stored answers: make conformance DIR=...
	@if [ -d '$(DIR)' ]; then cargo run --bin conformance -- '$(DIR)' $(if $(filter file,$(origin DIR)),$(REFUSED)); \
	else echo 'Skipped: no folder $(DIR), so nothing was decoded (name one with DIR=...)'; [ '$(origin DIR)' = file ]; fi

# How long each fuzz target runs, which one (all), and a saved input to run once in its place.
SECONDS = 60
fuzz: | rust cargo-fuzz ## look for inputs that break a promise: make fuzz SECONDS=... TARGET=... INPUT=...
	@tests/fuzz/run $(SECONDS) $(TARGET) $(INPUT)

clean: ## remove what was built (the shared tool folder stays)
	rm -rf pkg target tests/node_modules tests/fuzz/corpus $(OTHERS)

# The package is built again only when something it is made from changed.
SOURCES := Cargo.toml Cargo.lock LICENSE $(shell find src pkg-template)
pkg/package.json: $(SOURCES) tests/node_modules | rust wasm-bindgen
	node pkg-template/build.mjs

# No install script is needed by any of them.
tests/node_modules: tests/package.json tests/package-lock.json tests/.npmrc | node
	cd tests && npm ci --prefer-offline --ignore-scripts
	@touch $@

# Not `npm ci`: that refuses a lock file that lacks a build for another platform, and not every registry has them all.
OTHERS := $(addsuffix /node_modules,tests/bench tests/package/compare tests/package/consumers)
$(OTHERS): %/node_modules: %/package.json %/package-lock.json %/.npmrc | node
	cd $(@D) && npm install --no-save --prefer-offline --ignore-scripts
	@touch $@

# The tools are asked for each time (some milliseconds) and installed once.
TOOLS := node rust wasm-bindgen wasm-pack browser
tools: $(TOOLS) tests/node_modules ## install every tool the other commands need
$(TOOLS) cargo-fuzz firefox webkit:
	@.ci/tools $@

.PHONY: help demo test build clean fuzz tools cargo-fuzz firefox webkit $(TOOLS) $(STEPS) matrix loading engines soak bench docs release-check compare
