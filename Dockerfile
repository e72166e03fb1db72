# The service alone: its Postgres and its Redis are named by TALON_DATABASE_URL and TALON_REDIS_URL.
FROM python:3.12-slim AS packages
COPY requirements/image.txt .
RUN python -m venv /opt/talon \
    && /opt/talon/bin/pip install --no-cache-dir --no-deps --require-hashes -r image.txt

FROM python:3.12-slim
COPY --from=packages /opt/talon /opt/talon
COPY domain /app/domain
COPY infra /app/infra
COPY migrations /app/migrations
COPY service /app/service
RUN /opt/talon/bin/python -m compileall -q /app \
    && useradd --system --uid 10001 talon \
    && install -d -o talon -g talon -m 0700 /data
ENV PYTHONPATH=/app PYTHONUNBUFFERED=1 TALON_HOST=0.0.0.0 TALON_PORT=8000 TALON_DATA=/data
USER talon
# The seal key, unless TALON_SEAL_KEY or TALON_SEAL_KEY_FILE gives one: keep it with the database.
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --start-period=20s CMD ["/opt/talon/bin/python", "-c", \
    "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/health/live', timeout=5)"]
ENTRYPOINT ["/opt/talon/bin/python", "-m", "service.cli.main"]
CMD ["serve"]
