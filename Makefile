# Each target sets up what it needs in .venv: a fresh clone needs only Python 3.11+ and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# Always write compiled modules: without them, pytest compiles all tests in each worker.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: play run test test-all test-fast coverage soak check bench bench-scale bench-memory bench-computer lock

play: $(VENV)/run-ready  ## a sandbox and the bot in it; prints an address to open (PROCESSES=3: several bot processes)
ifdef PROCESSES
	@METRICS_PORT=0 $(BIN)/python -m tests.support.cluster \
		$(BIN)/python -m sandbox --bot "$(BIN)/python -m bot" --processes $(PROCESSES)
else
	@rm -rf .play && mkdir -p .play
	@DATABASE=.play/facedown.sqlite3 METRICS_PORT=0 $(BIN)/python -m sandbox --bot "$(BIN)/python -m bot"
endif

run: $(VENV)/run-ready  ## the bot on the real Discord, with the settings in .env
	@$(BIN)/python -m bot

# Five workers on two cores, because many tests wait for a database, a browser or a bot that starts.
# With worksteal, each worker starts with its own part of the tests, so some compute while others
# wait; the other modes run the waiting tests all at the same time, and scheduling takes CPU too.
# A sixth worker would leave less idle time, but each worker collects all tests.
test: $(VENV)/dev-ready  ## every test except the longest
	$(BIN)/python -m pytest -n 5 --dist worksteal -m "not long"

test-all: $(VENV)/dev-ready  ## every test, also whole matches of all games on the page, and more kills
	$(BIN)/python -m pytest -n 3 --dist loadgroup

# Folders with only slow tests aren't named: collecting their tests takes time too.
test-fast: $(VENV)/dev-ready  ## no browser, no process, no sandbox: under a minute on two cores
	$(BIN)/python -m pytest -n 2 -q -m "not slow and not long" tests/games tests/bot tests/cogs tests/test_house.py

coverage: $(VENV)/dev-ready  ## test-all with branch coverage, which takes half as long again
	$(BIN)/python -m pytest -n 3 --dist loadgroup --cov --cov-report=
	$(BIN)/coverage report --include='games/*' --show-missing --skip-covered --fail-under=100
	$(BIN)/coverage report --include='bot/*,cogs/*' --show-missing --skip-covered --fail-under=95

soak: $(VENV)/dev-ready  ## 1,000 kills in the middle of matches of all games, with every fault (KILLS=50: fewer; PROCESSES=3)
	$(BIN)/python -m tests.soak $(or $(KILLS),1000) --processes $(or $(PROCESSES),1)

check: $(VENV)/dev-ready  ## lint, format, types (with a leak that mypy must refuse), import order, and that everything loads
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -q tests/bot/rendering/test_leaks.py
	$(BIN)/lint-imports
	$(BIN)/hadolint Dockerfile
	$(BIN)/python -m bot --check

bench: $(VENV)/dev-ready  ## the benchmarks, each beside its baseline
	$(BIN)/python -m benchmarks.picks
	$(BIN)/python -m benchmarks.click_path
	$(BIN)/python -m benchmarks.load
	$(BIN)/python -m benchmarks.start
	$(BIN)/python -m benchmarks.playouts
	$(BIN)/python -m benchmarks.leaderboards
	$(BIN)/python -m benchmarks.statistics
	$(BIN)/python -m benchmarks.match_costs
	$(BIN)/python -m benchmarks.deadlines

bench-scale: $(VENV)/dev-ready  ## past one process: PostgreSQL beside SQLite, one to three processes, 100,000 servers
	$(BIN)/python -m benchmarks.databases
	$(BIN)/python -m benchmarks.scaled_picks
	$(BIN)/python -m benchmarks.scale

bench-memory: $(VENV)/dev-ready  ## memory in use after 10,000 matches (MATCHES=1000: fewer)
	$(BIN)/python -m benchmarks.memory $(or $(MATCHES),10000)

bench-computer: $(VENV)/dev-ready  ## how well computers play, and what a click costs while they think (FULL=1: hours)
	$(BIN)/python -m benchmarks.computers $(if $(FULL),--full)

lock: $(VENV)/dev-ready  ## update the pinned versions and their hashes
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" --upgrade \
		pyproject.toml --output-file requirements.txt
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" --upgrade \
		--constraint requirements.txt --extra dev pyproject.toml --output-file requirements-dev.txt
	echo uv | $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" \
		--constraint requirements-dev.txt - --output-file requirements-uv.txt

$(VENV)/run-ready: requirements.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
	@touch $@

# uv installs all packages in seconds, pip in minutes. pip installs uv, checked by its hash too.
$(VENV)/dev-ready: requirements-dev.txt requirements-uv.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-uv.txt
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes -r requirements-dev.txt
	@touch $(VENV)/run-ready $@
