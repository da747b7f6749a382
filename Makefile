# Every target first sets up what it needs, skips steps that are done, and says so in one line. `make` alone lists the targets.

# The torch to install on the host and in the grader image (for example torch==2.13.0+cu130, with the right PIP_ARGS).
TORCH ?= torch==2.13.0
# Further arguments for pip, such as an index that offers the wheels of TORCH.
PIP_ARGS ?=
# The image to build on, such as python:3.12-slim. Empty: one is made from this system's packages, without a registry.
BASE_IMAGE ?=
# The Python for .venv, 3.11 to 3.13.
PYTHON ?= python3

# Soaks: the number of submissions, the seed that decides the faults, and further arguments (python -m tests.soak --help).
N ?= 200
SEED ?= 1
ARGS ?=

export TORCH PIP_ARGS BASE_IMAGE PYTHON
SHELL := bash
.DEFAULT_GOAL := help
.PHONY: help run test test-stale test-all test-postgresql demo bench bench-service bench-speed bench-cluster bench-boards screenshots soak soak-cluster attacks fuzz check check-all web map types fmt image audit lock setup clean copy

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /make \1\t/' | expand -t 18

run: ## set up this machine and serve http://127.0.0.1:8000
	@bash deploy/setup.sh run
	@bash deploy/web.sh build \
		|| echo '== the web client could not be built, see above: serving the API and a plain page without it' >&2
	@bash deploy/docker-engine.sh start && bash deploy/grader-image.sh >/dev/null \
		|| echo '== Docker does not work, see above: serving without cells, so submissions wait in the queue until it does' >&2
	@exec .venv/bin/gradus serve

test: ## set up this machine and run lint, types, client checks and the tests, but not the heavy suites
	@bash deploy/setup.sh test
	@bash deploy/docker-engine.sh start && bash deploy/grader-image.sh >/dev/null || true
	@bash deploy/check.sh

test-stale: ## run the heavy suites whose proof does not match the files (tests/heavy), and write their proofs
	@.venv/bin/python -m tests.heavy run

test-all: test ## make test, then every heavy suite: attacks, PostgreSQL, browser stories, soaks that kill the engine
	@.venv/bin/python -m tests.heavy run --all

test-postgresql: setup ## run all API tests on a real PostgreSQL instead of SQLite
	@GRADUS_TEST_DATABASE=postgresql .venv/bin/python -m pytest -q -n 2 tests/api

demo: image ## start a service, send a right, a wrong and a hostile answer, print the verdicts, stop
	@.venv/bin/python -m tests.demo

bench: image ## measure the grader: prints tables, writes numbers to var/bench
	@.venv/bin/python -m tests.bench.grader
	@.venv/bin/python -m tests.bench.phases --catalogue

bench-service: setup ## measure the CPU time of the service per request, beside a bare FastAPI route
	@.venv/bin/python -m tests.bench.service

bench-speed: image ## measure how well speed boards measure: noise floor, a busy neighbour, answers with known ratios
	@.venv/bin/python -m tests.bench.speed

bench-cluster: setup ## measure judging over NATS: latency, throughput, and a simulation of 10 to 1,000 nodes
	@.venv/bin/python -m tests.bench.cluster

bench-boards: setup ## measure boards, profiles and updates of standings on PostgreSQL with a million accounts
	@.venv/bin/python -m tests.bench.boards

attacks: ## run every program of the attack catalogue, then print the table (a heavy suite)
	@bash deploy/setup.sh test
	@bash deploy/docker-engine.sh start
	@bash deploy/grader-image.sh >/dev/null
	@.venv/bin/python -m tests.attacks

fuzz: ## fuzz the code that reads a cell's frames: FUZZ='--frames N --seconds S --workers W'
	@bash deploy/setup.sh test
	@.venv/bin/python -m pip install -q -c deploy/constraints.txt 'atheris>=3'
	@nice -n 19 .venv/bin/python -m tests.fuzz $(FUZZ)

screenshots: image ## take pictures of the site with people in it; those of the README go to docs/screenshots
	@bash deploy/setup.sh test
	@bash deploy/web.sh build
	@.venv/bin/python -m tests.screenshots

soak: image ## kill every part while 200 answers are judged; make soak N=5000 SEED=7 ARGS='--without engine'
	@bash deploy/packages.sh faketime=faketime
	@.venv/bin/python -m tests.soak --submissions $(N) --seed $(SEED) $(ARGS)

soak-cluster: setup ## kill, freeze and cut off two APIs, three nodes, NATS and PostgreSQL; make soak-cluster N=84 SEED=7 ARGS=--instant
	@.venv/bin/python -m tests.soak.cluster --submissions $(N) --seed $(SEED) $(ARGS)

check: image ## run the authoring gate over the changed challenges; the report is in var/gate
	@.venv/bin/gradus challenge check

check-all: image ## run the authoring gate over all challenges
	@.venv/bin/gradus challenge check --all

web: ## serve the web client with reload on http://localhost:5173, beside a service that make run started
	@bash deploy/web.sh build
	@cd frontend/web && PATH="$(CURDIR)/.venv/bin:$$PATH" npm run dev

map: ## after a change of imports: redraw the map in docs/architecture.md
	@bash deploy/venv.sh test
	@.venv/bin/python -m tests.architecture_map

types: ## write the web client's types from the API's routes, as an editor needs them after a checkout or a change of the API
	@bash deploy/venv.sh test
	@bash deploy/web.sh types

copy: ## print every text of the web client with its file and line
	@bash deploy/web.sh copy

fmt: ## format the code and apply the fixes of ruff and biome
	@bash deploy/venv.sh test
	@.venv/bin/ruff format
	@.venv/bin/ruff check --fix
	@bash deploy/web.sh fmt

image: ## set up, start Docker and build the grader image
	@bash deploy/setup.sh run
	@bash deploy/docker-engine.sh start
	@bash deploy/grader-image.sh >/dev/null

audit: ## check what we install for known vulnerabilities
	@bash deploy/audit.sh

lock: ## update deploy/constraints.txt to the newest versions of all dependencies
	@bash deploy/lock.sh

setup: ## only install what the tests and the service need
	@bash deploy/setup.sh test

clean: ## remove caches, wheels and build leftovers; keeps .venv, images and the database
	@rm -rf var/wheels var/build var/base-image .mypy_cache .ruff_cache .pytest_cache dist build *.egg-info
	@find . -path ./.venv -prune -o -path ./var -prune -o -name __pycache__ -type d -exec rm -rf {} +
	@echo '== clean: removed caches and build leftovers' >&2
