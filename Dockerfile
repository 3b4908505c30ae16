# The bot on Debian's Python, without a shell and not as root: docs/hosting/docker.md.
FROM python:3.13-slim-trixie AS build
WORKDIR /source
COPY pins/run.txt pins/run.txt
RUN pip install --no-cache-dir --no-compile --require-hashes --target /dog --requirement pins/run.txt
COPY pyproject.toml README.md LICENSE ./
COPY engine engine
COPY render render
COPY bot bot
COPY cogs cogs
COPY locales locales
# What only builds or tests stays behind, as do sources of extensions and libraries for Windows. The command is started
# by the Python of the next stage, and what is compiled here is not compiled again at each start. Of what Babel knows of
# languages, those of the catalogues are enough.
RUN PYTHONPATH=/dog pip install --no-cache-dir --no-compile --no-deps --no-build-isolation --target /dog --upgrade . \
    && rm -rf /dog/setuptools* /dog/pkg_resources /dog/_distutils_hack \
    && find /dog -type d -name tests -prune -exec rm -rf {} + \
    && find /dog -type f -regex '.*\.\(dll\|pyx\|pxd\|pyi\)' -delete \
    && sed -i '1s|.*|#!/usr/bin/python3|' /dog/bin/dog-bot \
    && python -c "from pathlib import Path; \
ours = {'root', 'en', *(one.stem for one in Path('locales').glob('*.po'))}; \
known = Path('/dog/babel/locale-data').glob('*.dat'); \
[one.unlink() for one in known if one.stem.split('_')[0] not in ours]" \
    && python -m compileall -q --invalidation-mode unchecked-hash /dog \
    && mkdir /empty

FROM gcr.io/distroless/python3-debian13:nonroot
COPY --from=build /dog /dog
COPY --from=build --chown=nonroot:nonroot /empty /srv/dog/data
ENV PATH=/dog/bin:/usr/local/bin:/usr/bin:/bin PYTHONPATH=/dog PYTHONUNBUFFERED=1
# Inside the container only.
ENV METRICS_PORT=9464
# .env and data/ are here.
WORKDIR /srv/dog
HEALTHCHECK --interval=10s --timeout=5s --start-period=90s \
    CMD ["dog-bot", "healthy"]
ENTRYPOINT ["dog-bot"]
