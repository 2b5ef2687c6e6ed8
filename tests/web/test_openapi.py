"""The OpenAPI document is valid, and says of every address what the server does."""

from __future__ import annotations

import json
from typing import Any

import pytest

from taquin.errors import InputError
from taquin.web.app import create_app
from taquin.web.endpoints import POSTS, handled
from taquin.web.openapi import openapi
from taquin.web.page_jobs import Settings


def test_the_document_is_valid() -> None:
    # The extra `build` may bring a jsonschema that is too old for it.
    validator: Any = pytest.importorskip("openapi_spec_validator", exc_type=ImportError)
    # Its newer versions have another name for it.
    check = getattr(validator, "validate", None) or validator.validate_spec
    check(json.loads(json.dumps(openapi())))


def test_every_route_is_described_with_its_method() -> None:
    app: Any = create_app(Settings())
    routes = {
        (route.path, method.lower())
        for route in app.app.routes
        for method in (getattr(route, "methods", None) or ())
        if method != "HEAD" and route.include_in_schema
    }
    paths = openapi()["paths"]
    assert {(path, method) for path, methods in paths.items() for method in methods} == routes


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
    solve = properties_of("solve")
    assert solve["within"] == {"type": "number", "minimum": 1, "maximum": 1e9}
    assert solve["metric"] == {"type": "string", "enum": ["single", "multi"], "default": "single"}
    assert "cluster" not in solve["engine"]["enum"]
    assert properties_of("scramble")["rows"] == {"type": "integer", "minimum": 1, "maximum": 10_000}
