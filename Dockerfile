# The service and the annotation app: docs/release.md says how they are started, and what of this was tried out.
#     docker build -t tertium .
#     docker run --rm tertium demo
FROM python:3.12-slim AS build
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --no-install-recommends --yes g++ \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY pyproject.toml CMakeLists.txt README.md LICENSE THIRD_PARTY_NOTICES ./
COPY native native
COPY src src
RUN python -m venv /opt/tertium \
    && /opt/tertium/bin/pip install --no-cache-dir --disable-pip-version-check ".[app,postgres,sheets,zstd]"

FROM python:3.12-slim
RUN useradd --system --user-group --uid 10001 --create-home --home-dir /data tertium
COPY --from=build /opt/tertium /opt/tertium
ENV PATH=/opt/tertium/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    TERTIUM_CACHE=/data/cache
USER 10001:10001
WORKDIR /data
VOLUME /data
# 8766: the service (tertium serve); 8765: the annotation app (tertium annotate serve)
EXPOSE 8765 8766
# Of the service; whoever runs the app asks its port (compose.yaml)
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8766/health', timeout=4)"]
ENTRYPOINT ["tertium"]
CMD ["serve", "/data/office", "--host", "0.0.0.0"]
