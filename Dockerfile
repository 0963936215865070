FROM python:3.11-slim-bookworm AS build
WORKDIR /build
COPY requirements.txt .
RUN python -m venv /venv \
    && /venv/bin/pip install --no-cache-dir --require-hashes -r requirements.txt

FROM python:3.11-slim-bookworm
# `data/`, where the settings of a laptop put the database, leads into the volume too: a `.env` that
# names it must not put every match into a container that the next update throws away.
RUN useradd --system --uid 10001 --create-home --home-dir /home/facedown facedown \
    && install -d -o facedown -m 700 /data \
    && install -d /app && ln -s /data /app/data
COPY --from=build /venv /venv
# An update may need as much room for a while as the database takes, and `/tmp` is small.
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
# Processes that draw and think begin with these modules, and nothing is written here later.
RUN python -m compileall -q .
USER 10001
# 503 is an error to urlopen. Where the port is turned off, nobody can tell.
HEALTHCHECK --start-period=60s CMD ["python", "-c", "import os, urllib.request as web; \
port = os.environ.get('METRICS_PORT') or '9464'; \
port == '0' or web.urlopen(f'http://127.0.0.1:{port}/health', timeout=5)"]
# Docker sends SIGTERM: the bot finishes what it has begun and leaves.
CMD ["python", "-m", "bot"]
