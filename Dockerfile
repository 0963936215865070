FROM python:3.11-slim-bookworm AS build
WORKDIR /build
COPY requirements.txt .
RUN python -m venv /venv \
    && /venv/bin/pip install --no-cache-dir --require-hashes -r requirements.txt

FROM python:3.11-slim-bookworm
# `data/`, the default folder of the database, is a link into the volume: with a `.env` from a laptop,
# every match would otherwise be in the container and gone after the next update.
RUN useradd --system --uid 10001 --create-home --home-dir /home/facedown facedown \
    && install -d -o facedown -m 700 /data \
    && install -d /app && ln -s /data /app/data
COPY --from=build /venv /venv
# While it migrates, an update may need as much room as the database takes, and `/tmp` is small.
ENV PATH=/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    DATABASE=/data/facedown.sqlite3 \
    SQLITE_TMPDIR=/data \
    LOG_FORMAT=json \
    MPLCONFIGDIR=/tmp/matplotlib
VOLUME /data
WORKDIR /app
COPY games games
COPY migrations migrations
COPY bot bot
COPY cogs cogs
# Worker processes start faster with compiled modules, and nothing can be written here later.
RUN python -m compileall -q .
USER 10001
# urlopen raises for 503. With the port turned off, the container always counts as healthy.
HEALTHCHECK --start-period=60s CMD ["python", "-c", "import os, urllib.request as web; \
port = os.environ.get('METRICS_PORT') or '9464'; \
port == '0' or web.urlopen(f'http://127.0.0.1:{port}/health', timeout=5)"]
# Docker sends SIGTERM: the bot finishes what it has started, then exits.
CMD ["python", "-m", "bot"]
