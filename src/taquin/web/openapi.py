"""The description of the HTTP interface in OpenAPI 3.0, derived from the handlers.

Every handler of `endpoints.POSTS` reads a small body here, through fields that record the keys, the
types and the limits. So the description cannot differ from the code.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from taquin import __version__
from taquin.notation.fields import Fields
from taquin.web.endpoints import POSTS, ResponseKind
from taquin.web.page_jobs import BODY_BYTES, TYPES, Settings

Schema = dict[str, Any]

GETS = {
    "/runtime.json": ("What the browser itself runs, all searches or user code; its files", "json"),
    "/api/openapi.json": ("This description", "json"),
    "/api/about": ("Version, limits, numbers of running and queued searches", "json"),
    "/api/searches": ("Algorithms with their options, heuristics, engines, goals", "json"),
    "/api/studies": ("The studies of the lab", "json"),
    "/api/studies/{name}": ("One study and its progress", "json"),
    "/api/studies/{name}/report": ("The report of a study as a page", "html"),
}
"""The addresses without a body: a summary, and the content type."""

_BOARD = "1 2 3 / 4 0 5 / 7 8 6"
_BODIES: dict[str, tuple[str, dict[str, Any]]] = {
    "read": ("Read a text in any notation, and write it in every other", {"text": _BOARD}),
    "check": ("Whether a board can be solved, and why", {"board": _BOARD}),
    "scramble": ("A random board, or one of an exact distance", {}),
    "left": ("The number of moves left, and the next move", {"board": _BOARD}),
    "export": ("A solution as a file", {"board": _BOARD, "format": "svg"}),
    "solve": ("Solve a board", {"board": _BOARD}),
    "trace": ("A search step by step", {"board": _BOARD}),
    "race": ("Two to four searches side by side", {"board": _BOARD, "searches": ["bfs", "astar"]}),
}
"""For each of POSTS a summary, and a minimal body with the required keys."""
_ROWS = {"type": "array", "items": {"type": "array", "items": {}}}
_VALUES: dict[str, Schema] = {
    "board": {
        "description": 'A text in any notation, or rows with 0 for the blank and "#" for a wall.',
        "anyOf": [{"type": "string"}, _ROWS, {"type": "object"}],
    },
    "goal": {
        "description": "A name, a text, or rows with null for any tile; blank-last by default.",
        "anyOf": [{"type": "string"}, _ROWS, {"type": "object"}],
    },
    "moves": {
        "description": "Letters, directions or tiles, or a list as in a result.",
        "anyOf": [{"type": "string"}, {"type": "array", "items": {}}],
    },
}
"""The fields with several types."""
_STOP: Schema = {
    "type": "object",
    "properties": {"turn": {"type": "string"}},
    "required": ["turn"],
    "additionalProperties": False,
}
_EMPTY: Schema = {"type": "object", "additionalProperties": False}
_ERRORS = {
    "400": "A bad request",
    "403": "The Origin or the Host is not this server's",
    "405": "Another method; Allow has those of the address",
    "408": "The body took too long to arrive",
    "413": f"A body of more than {BODY_BYTES:,} bytes",
    "422": "This machine cannot do it",
    "503": "The queue is full; Retry-After has the seconds to wait",
}


class _RecordingFields(Fields):
    """Fields that record how each key is read."""

    def __init__(self, content: Any) -> None:
        super().__init__(content)
        self.properties: dict[str, Schema] = {}

    def value(self, key: str, default: Any = None) -> Any:
        self.properties.setdefault(key, _VALUES.get(key, {}))
        return super().value(key, default)

    def note(self, key: str, **schema: Any) -> None:
        known = {name: value for name, value in schema.items() if value is not None}
        self.properties[key] = self.properties.get(key, {}) | known


@cache
def openapi() -> dict[str, Any]:
    """Return the description, an OpenAPI document."""
    paths = {path: {"get": _get(path)} for path in GETS}
    paths |= {f"/api/{name}": {"post": _post(name)} for name in POSTS}
    answer = _responses({"application/json": {"schema": {"type": "object"}}})
    stop = {"summary": "End a stream with its result so far, by its header taquin-turn"}
    paths["/api/stop"] = {
        "post": stop | {"requestBody": _body(_STOP, {"turn": "…"}), "responses": answer}
    }
    stream = _responses({"text/event-stream": {}})
    python = {"summary": "Download Python for the browser, once; not on a public server"}
    paths["/api/python"] = {
        "post": python | {"requestBody": _body(_EMPTY, {}), "responses": stream}
    }
    text = {"type": "string"}
    properties = {"error": text, "code": text, "parameters": {"type": "object"}}
    error = {"type": "object", "properties": properties, "required": ["error"]}
    return {
        "openapi": "3.0.3",
        "info": {
            "title": "taquin",
            "version": __version__,
            "description": "Sliding-tile puzzles: boards, searches and studies.",
        },
        "paths": paths,
        "components": {"schemas": {"Error": error}},
    }


def _get(path: str) -> Schema:
    summary, kind = GETS[path]
    content: Schema = {"text/html": {}} if kind == "html" else {"application/json": {}}
    operation: Schema = {"summary": summary, "responses": _responses(content)}
    if "{name}" in path:
        name = {"name": "name", "in": "path", "required": True, "schema": {"type": "string"}}
        operation["parameters"] = [name]
        operation["responses"] |= _errors({"404": "There is no such study"})
    return operation


def _post(name: str) -> Schema:
    """Return the operation of one of POSTS, with the fields that its handler reads."""
    summary, smallest = _BODIES[name]
    kind, handler = POSTS[name]
    fields = _RecordingFields(smallest)
    handler(fields, Settings())
    optional = fields.properties.keys() - smallest.keys()
    schema = {
        "type": "object",
        "properties": {
            key: _nullable(value) if key in optional else value
            for key, value in fields.properties.items()
        },
        "required": list(smallest),
        "additionalProperties": False,
    }
    if not smallest:
        del schema["required"]
    content: Schema = {"application/json": {"schema": {"type": "object"}}}
    if kind is ResponseKind.STREAM:
        content = {"text/event-stream": {}}
    elif name == "export":
        content = {content_type: {} for content_type in TYPES.values()}
    return {
        "summary": summary,
        "requestBody": _body(schema, smallest),
        "responses": _responses(content),
    }


def _nullable(schema: Schema) -> Schema:
    """Return the schema of a key that may be null, like one that is missing."""
    if "anyOf" in schema:
        first, *others = schema["anyOf"]
        return schema | {"anyOf": [_nullable(first), *others]}
    if "enum" in schema:
        schema = schema | {"enum": [*schema["enum"], None]}
    return schema | {"nullable": True}


def _body(schema: Schema, example: dict[str, Any]) -> Schema:
    content = {"application/json": {"schema": schema, "example": example}}
    return {"required": True, "content": content}


def _responses(content: Schema) -> Schema:
    return {"200": {"description": "The answer", "content": content}} | _errors(_ERRORS)


def _errors(sentences: dict[str, str]) -> Schema:
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    return {code: {"description": text, "content": content} for code, text in sentences.items()}
