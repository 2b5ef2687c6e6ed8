"""The OpenAPI document is valid, and says of every address what the server does."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from taquin.errors import InputError
from taquin.web.app import create_app
from taquin.web.endpoints import POSTS, handled, openapi
from taquin.web.page_jobs import Settings
from tests.web.site import serving


def test_the_document_is_valid_and_describes_every_route_with_its_method() -> None:
    app: Any = create_app(Settings())
    routes = {
        (route.path, method.lower())
        for route in app.app.routes
        for method in (getattr(route, "methods", None) or ())
        if method != "HEAD" and route.include_in_schema
    }
    paths = openapi()["paths"]
    assert {(path, method) for path, methods in paths.items() for method in methods} == routes
    # The extra `build` may bring a jsonschema that is too old for it.
    validator: Any = pytest.importorskip("openapi_spec_validator", exc_type=ImportError)
    # Its newer versions have another name for it.
    check = getattr(validator, "validate", None) or validator.validate_spec
    check(json.loads(json.dumps(openapi())))


def properties_of(name: str) -> dict[str, Any]:
    body = openapi()["paths"][f"/api/{name}"]["post"]["requestBody"]
    properties: dict[str, Any] = body["content"]["application/json"]["schema"]["properties"]
    return properties


@pytest.mark.parametrize("name", POSTS)
def test_the_keys_described_are_those_that_a_body_may_have(name: str) -> None:
    board, text = "1 2 3 / 4 0 5 / 7 8 6", "1 2 / 3 0"
    body = {"board": board, "text": text, "searches": ["bfs", "astar"], "format": "svg"}
    known = {key: body[key] for key in body if key in properties_of(name)}
    with pytest.raises(InputError) as refused:
        handled(name, json.dumps(known | {"?": 1}).encode(), Settings())
    keys = str(refused.value).partition("The keys are ")[2].split(", ")
    assert sorted(keys) == sorted(properties_of(name))


def test_types_limits_and_choices_are_described() -> None:
    null = {"nullable": True}
    solve, rows = properties_of("solve"), properties_of("scramble")["rows"]
    assert solve["within"] == {"type": "number", "minimum": 1, "maximum": 1e9} | null
    metrics = {"type": "string", "enum": ["single", "multi", None], "default": "single"}
    assert solve["metric"] == metrics | null
    assert "cluster" not in solve["engine"]["enum"]
    assert rows == {"type": "integer", "minimum": 1, "maximum": 10_000} | null


@pytest.mark.parametrize("name", POSTS)
def test_null_is_taken_where_the_schema_says_so(name: str) -> None:
    body = openapi()["paths"][f"/api/{name}"]["post"]["requestBody"]
    example: dict[str, Any] = body["content"]["application/json"]["example"]
    assert handled(name, json.dumps(example).encode(), Settings())
    for key, schema in properties_of(name).items():
        asked = json.dumps(example | {key: None}).encode()
        if any(each.get("nullable") for each in (schema, *schema.get("anyOf", ()))):
            assert handled(name, asked, Settings()), key
        else:
            with pytest.raises(InputError):
                handled(name, asked, Settings())


def test_every_address_says_which_methods_it_has(client: httpx.Client) -> None:
    for template, operations in openapi()["paths"].items():
        path, methods = template.replace("{name}", "mine"), set(operations)
        if not path.startswith("/api/"):
            continue
        for method in ("OPTIONS", "PUT", "GET", "POST"):
            if method.lower() in methods:
                continue
            reply = client.request(method, path)
            assert reply.status_code == (204 if method == "OPTIONS" else 405), (method, path)
            allowed = {each.lower() for each in reply.headers["allow"].split(", ")}
            assert allowed - {"head"} == methods, (method, path)
    assert client.options("/api/nothing").status_code == 404
    for name in (None, 1):
        assert client.post("/api/stop", json={"turn": name}).status_code == 400


@pytest.mark.slow
def test_schemathesis_finds_no_answer_that_differs_from_the_document(
    table_folder: object, tmp_path: Path
) -> None:
    words = ("--max-seconds", "1", "--max-nodes", "2000", "--max-cells", "20")
    # A schema cannot say which texts are boards; --exclude-path: it would download Python.
    bounds = (
        *("--exclude-checks", "positive_data_acceptance", "--exclude-path", "/api/python"),
        *("--max-examples", "10", "--seed", "1", "--request-timeout", "180", "--no-color"),
    )
    program = Path(sys.executable).with_name("schemathesis")
    with serving(*words, "--no-open", "--no-warm") as site:
        command = [str(program), "run", f"{site.address}/api/openapi.json", *bounds]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
