# Every target sets up what it needs first, skips what is done, and says so in a line. `make` alone lists the targets.

# What is installed as torch, on the host and in the grader image (say torch==2.13.0+cu130 with a fitting PIP_ARGS).
TORCH ?= torch==2.13.0
# Further arguments for pip, such as an index that offers the wheels of TORCH.
PIP_ARGS ?=
# An image to build on, such as python:3.12-slim; empty: one is made from this system's packages, no registry needed.
BASE_IMAGE ?=
# The Python, 3.11 to 3.13, that .venv is made with.
PYTHON ?= python3

# How many submissions a soak sends, what draws its faults, and what else it is told (python -m tests.soak --help).
N ?= 200
SEED ?= 1
ARGS ?=

export TORCH PIP_ARGS BASE_IMAGE PYTHON
SHELL := bash
.DEFAULT_GOAL := help
.PHONY: help run test test-postgresql demo bench bench-cluster screenshots soak soak-cluster attacks fuzz check check-all web types fmt image audit lock setup clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /make \1\t/' | expand -t 18

run: ## set up this machine and serve http://127.0.0.1:8000
	@bash deploy/setup.sh run
	@bash deploy/web.sh build \
		|| echo '== no web client: it could not be built, see above. Serving the API and a plain page.' >&2
	@bash deploy/docker-engine.sh start && bash deploy/grader-image.sh >/dev/null \
		|| echo '== no cells: Docker cannot be had, see above. Serving all the same; submissions stay queued until it is there.' >&2
	@exec .venv/bin/gradus serve

test: ## set up this machine and run everything that CI runs
	@bash deploy/setup.sh test
	@bash deploy/docker-engine.sh start
	@bash deploy/grader-image.sh >/dev/null
	@bash deploy/web.sh build
	@bash deploy/check.sh

test-postgresql: setup ## the tests of the API on a real PostgreSQL of their own, instead of SQLite
	@GRADUS_TEST_DATABASE=postgresql .venv/bin/python -m pytest -q -n 2 tests/api

demo: image ## start, send a right, a wrong and a hostile answer, print the verdicts, stop
	@.venv/bin/python -m tests.demo

bench: image ## measure the grader; tables here, numbers in var/bench
	@.venv/bin/python -m tests.bench.grader

bench-cluster: setup ## what the way over NATS costs, how many judgings a second it carries, and what 10 to 1,000 nodes would deliver
	@.venv/bin/python -m tests.bench.cluster

attacks: ## put every program of the attack catalogue on trial, then show the table (part of make test)
	@bash deploy/setup.sh test
	@bash deploy/docker-engine.sh start
	@bash deploy/grader-image.sh >/dev/null
	@.venv/bin/python -m tests.attacks

fuzz: ## fuzz what reads a cell's frames: FUZZ='--frames N --seconds S --workers W'
	@bash deploy/setup.sh test
	@.venv/bin/python -m pip install -q -c deploy/constraints.txt 'atheris>=3'
	@nice -n 19 .venv/bin/python -m tests.fuzz $(FUZZ)

screenshots: image ## take pictures of the site with people in it; those of the README go to docs/screenshots
	@bash deploy/setup.sh test
	@bash deploy/web.sh build
	@.venv/bin/python -m tests.screenshots

soak: image ## kill everything while 200 answers are judged; make soak N=5000 SEED=7 ARGS='--without engine'
	@bash deploy/packages.sh faketime=faketime
	@.venv/bin/python -m tests.soak --submissions $(N) --seed $(SEED) $(ARGS)

soak-cluster: setup ## kill, freeze and cut off two APIs, three nodes, NATS and PostgreSQL; make soak-cluster N=84 SEED=7 ARGS=--instant
	@.venv/bin/python -m tests.soak.cluster --submissions $(N) --seed $(SEED) $(ARGS)

check: image ## run the authoring gate over what has changed in the challenges; the report is in var/gate
	@.venv/bin/gradus challenge check

check-all: image ## run the authoring gate over everything, changed or not
	@.venv/bin/gradus challenge check --all

web: ## serve the web client with reload on http://localhost:5173, beside a service that make run started
	@bash deploy/web.sh build
	@cd frontend/web && PATH="$(CURDIR)/.venv/bin:$$PATH" npm run dev

types: ## after a change of the API: make the web client's types anew
	@bash deploy/venv.sh test
	@bash deploy/web.sh types

fmt: ## format the code and mend what ruff and biome can mend
	@bash deploy/venv.sh test
	@.venv/bin/ruff format
	@.venv/bin/ruff check --fix
	@bash deploy/web.sh fmt

image: ## set up, start Docker and build the grader image
	@bash deploy/setup.sh run
	@bash deploy/docker-engine.sh start
	@bash deploy/grader-image.sh >/dev/null

audit: ## ask the advisory services for known holes in what we install
	@bash deploy/audit.sh

lock: ## renew deploy/constraints.txt: the newest versions of all dependencies
	@bash deploy/lock.sh

setup: ## only install what tests and serving need
	@bash deploy/setup.sh test

clean: ## remove caches, collected wheels and build leftovers; keeps .venv, images and the database
	@rm -rf var/wheels var/build var/base-image .mypy_cache .ruff_cache .pytest_cache dist build *.egg-info
	@find . -path ./.venv -prune -o -path ./var -prune -o -name __pycache__ -type d -exec rm -rf {} +
	@echo '== clean: caches and build leftovers are gone' >&2
