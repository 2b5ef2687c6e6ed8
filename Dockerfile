# The page, for a class or a workshop:
#   docker build -t taquin . && docker run --rm -p 8015:8015 taquin
# Then it is at http://localhost:8015. For a name of its own, add --name lab.example.org at the end.
FROM python:3.13-slim
RUN --mount=type=bind,target=/source,rw \
    python -m pip install --no-cache-dir "/source[web]" \
    && useradd --create-home taquin
USER taquin
WORKDIR /home/taquin
EXPOSE 8015
HEALTHCHECK CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://localhost:8015/')"]
ENTRYPOINT ["taquin", "serve", "--host", "0.0.0.0", "--public", "--no-open"]
