"""Checks recorded requests against Discord's published OpenAPI document.

The path of the document is in the environment variable DISCORD_OPENAPI. None of its schemas forbids
additional keys, so unknown keys are looked for here.
"""

import functools
import json
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker, ValidationError, validators

from sandbox import LoggedRequest

Json = dict[str, Any]
VARIABLE = "DISCORD_OPENAPI"
METHODS = ("get", "post", "put", "patch", "delete")

TOLERATED = {
    ("PUT /applications/{application_id}/commands", "nsfw"): "documented, not in the schema",
    ("PUT /applications/{application_id}/guilds/{guild_id}/commands", "nsfw"): "the same",
    ("*", "embeds.flags"): "discord.py sends an embed's flags back",
    ("PATCH /channels/{channel_id}/messages/{message_id}", "tts"): "discord.py sends tts on edits",
    ("PATCH /webhooks/{webhook_id}/{webhook_token}/messages/@original", "tts"): "the same",
    ("PATCH /webhooks/{webhook_id}/{webhook_token}/messages/{message_id}", "tts"): "the same",
    ("POST /interactions/{interaction_id}/{interaction_token}/callback", "data.tts"): "the same",
}
"""Keys that discord.py 2.7.1 sends and the document lacks, by operation and dotted path; the values
say why they are tolerated."""


FORMATS = FormatChecker(())


@FORMATS.checks("date-time", raises=ValueError)
def _is_moment(value: object) -> bool:
    return not isinstance(value, str) or datetime.fromisoformat(value).tzinfo is not None


@dataclass(frozen=True, slots=True)
class Operation:
    method: str
    template: str
    steps: tuple[str, ...]
    data: Json

    @property
    def name(self) -> str:
        return f"{self.method.upper()} {self.template}"

    def match(self, steps: list[str]) -> int | None:
        """The number of literal steps that match; None if the path doesn't fit the template."""
        if len(steps) != len(self.steps):
            return None
        literal = 0
        for pattern, step in zip(self.steps, steps, strict=True):
            if pattern == step:
                literal += 1
            elif not _fills(pattern, step):
                return None
        return literal


def _fills(pattern: str, step: str) -> bool:
    """Whether a step of a path can be the value of this step of a template."""
    if not pattern.startswith("{") or step.startswith("@"):
        return False
    return not pattern.endswith("_id}") or re.fullmatch(r"0|[1-9]\d*", step) is not None


class Document:
    def __init__(self, path: Path) -> None:
        self.data: Json = json.loads(path.read_text())
        self._class = _validator_class(self)
        self._validators: dict[int, Any] = {}
        self._resolved: dict[str, Json] = {}
        self.passed: set[tuple[str, str]] = set()
        """Pairs of a `$ref` and a value as JSON text that were found valid."""

        self._tables: dict[int, dict[Any, Json] | None] = {}
        self._operations: dict[tuple[str, int], list[Operation]] = {}
        for template, item in self.data["paths"].items():
            steps = tuple(template.strip("/").split("/"))
            for method in METHODS:
                if method in item:
                    operation = Operation(method, template, steps, item[method])
                    self._operations.setdefault((method, len(steps)), []).append(operation)

    def find(self, method: str, path: str) -> Operation | None:
        """The operation whose template matches most literally; None if none matches."""
        steps = path.strip("/").split("/")
        best: tuple[int, Operation] | None = None
        for operation in self._operations.get((method.lower(), len(steps)), ()):
            literal = operation.match(steps)
            if literal is not None and (best is None or literal > best[0]):
                best = literal, operation
        return None if best is None else best[1]

    def resolve(self, schema: Json) -> Json:
        """The schema a `$ref` points to."""
        while "$ref" in schema:
            reference = schema["$ref"]
            if reference not in self._resolved:
                steps = reference.removeprefix("#/").split("/")
                found = functools.reduce(lambda here, step: here[step], steps, self.data)
                self._resolved[reference] = found
            schema = self._resolved[reference]
        return schema

    def validator(self, schema: Json) -> Any:
        """The validator of a schema of this document, cached."""
        if id(schema) not in self._validators:
            self._validators[id(schema)] = self._class(schema, format_checker=FORMATS)
        return self._validators[id(schema)]

    def branch(self, alternatives: list[Json], value: object) -> Json | None:
        """The alternative that the value's `type`, or the value itself, decides on.

        None if the alternatives can't be told apart that way, or none fits.
        """
        table = self._tables.get(id(alternatives), False)
        if table is False:
            table = self._tables[id(alternatives)] = self._table(alternatives)
        if table is None:
            return None
        key = value.get("type") if isinstance(value, dict) else value
        return table.get(key) if isinstance(key, int | str | None) else None

    def _table(self, alternatives: list[Json]) -> dict[Any, Json] | None:
        table: dict[Any, Json] = {}
        for alternative in alternatives:
            schema = self.resolve(alternative)
            if schema.get("type") == "null":
                table[None] = alternative
                continue
            if "const" in schema:
                table[schema["const"]] = alternative
                continue
            kinds = schema.get("properties", {}).get("type", {}).get("enum")
            if kinds is None:
                return None
            table |= dict.fromkeys(kinds, alternative)
        return table

    def unknown(self, schema: Json, value: object, path: str = "") -> Iterator[str]:
        """Dotted paths of a valid value's keys that no fitting branch of its schema declares."""
        if not isinstance(value, list | dict):
            return
        branches = list(self._branches(schema, value))
        if isinstance(value, list):
            items = [branch["items"] for branch in branches if "items" in branch]
            for item in value:
                found = [list(self.unknown(schema, item, path)) for schema in items]
                yield from min(found, key=len, default=[])
        elif isinstance(value, dict):
            properties: Json = {}
            for branch in branches:
                properties |= branch.get("properties", {})
                if branch.get("additionalProperties"):
                    return
            for key, inner in value.items() if branches else ():
                here = f"{path}.{key}".lstrip(".")
                if key in properties:
                    yield from self.unknown(properties[key], inner, here)
                else:
                    yield here

    def _branches(self, schema: Json, value: object) -> Iterator[Json]:
        schema = self.resolve(schema)
        if {"properties", "items", "additionalProperties"} & set(schema):
            yield schema
        for part in schema.get("allOf", ()):
            yield from self._branches(part, value)
        for key in ("anyOf", "oneOf"):
            alternatives = schema.get(key)
            if not alternatives:
                continue
            chosen = self.branch(alternatives, value)
            fitting = [chosen] if chosen else [a for a in alternatives if self.fits(a, value)]
            for alternative in fitting:
                yield from self._branches(alternative, value)

    def fits(self, schema: Json, value: object) -> bool:
        return bool(self.validator(schema).is_valid(value))


def _validator_class(document: Document) -> Any:
    """Draft 2020-12, which also accepts ids as numbers, and chooses alternatives by `type`."""
    plain = Draft202012Validator.VALIDATORS

    def check_type(validator: Any, types: Any, value: Any, schema: Json) -> Iterator[Any]:
        # Discord takes ids as JSON numbers too, which is how discord.py sends them.
        number = isinstance(value, int) and not isinstance(value, bool)
        if not (number and schema.get("format") == "snowflake"):
            yield from plain["type"](validator, types, value, schema)

    def choose(keyword: str) -> Any:
        def check(validator: Any, schemas: list[Json], value: Any, schema: Json) -> Iterator[Any]:
            chosen = document.branch(schemas, value)
            if chosen is None:
                yield from plain[keyword](validator, schemas, value, schema)
            else:
                yield from validator.descend(value, chosen)

        return check

    def follow(validator: Any, reference: str, value: Any, _: Json) -> Iterator[Any]:
        # All references are within the document, and looking them up here is ten times as fast.
        # Passed values are remembered because most bots send the same: their commands, buttons.
        known = reference, json.dumps(value)
        if known not in document.passed:
            good = True
            for error in validator.descend(value, document.resolve({"$ref": reference})):
                good = False
                yield error
            if good:
                document.passed.add(known)

    changed = {
        "$ref": follow,
        "type": check_type,
        "oneOf": choose("oneOf"),
        "anyOf": choose("anyOf"),
    }
    return _without_resolvers(validators.extend(Draft202012Validator, changed), document)


def _without_resolvers(made: Any, document: Document) -> Any:
    """The same validator class without a new resolver and validator at each step into a value.

    Creating those took half of the time, and they aren't needed: `follow` resolves references.
    """
    descend = made.descend

    def stay(self: Any, instance: Any, schema: Any, **where: Any) -> Any:
        return descend(self, instance, schema, **where, resolver=self._resolver)

    made.descend = stay
    made.evolve = lambda _, *, schema, **__: document.validator(schema)
    return made


@functools.lru_cache(maxsize=1)
def document() -> Document | None:
    """The document, or None if the environment variable isn't set."""
    path = os.environ.get(VARIABLE)
    return Document(Path(path)) if path else None


def violations(requests: Iterable[LoggedRequest]) -> list[str]:
    """Everything in the requests that the document forbids; empty if there is no document."""
    checked = document()
    if checked is None:
        return []
    return [found for request in requests for found in _request(checked, request)]


def response_violations(requests: Iterable[LoggedRequest]) -> list[str]:
    """Everything in the responses that the document forbids; empty if there is no document."""
    checked = document()
    if checked is None:
        return []
    return [found for request in requests for found in _response(checked, request)]


def _request(checked: Document, request: LoggedRequest) -> Iterator[str]:
    operation = checked.find(request.method, request.path)
    if operation is None:
        yield f"{request.method} {request.path}: the document has no such operation"
        return
    found = [*_query(checked, operation, request), *_body(checked, operation, request)]
    yield from (f"{operation.name}: {problem}" for problem in found)


def _query(checked: Document, operation: Operation, request: LoggedRequest) -> Iterator[str]:
    declared = {
        parameter["name"]: parameter
        for parameter in map(checked.resolve, operation.data.get("parameters", ()))
        if parameter["in"] == "query"
    }
    for name, text in request.query.items():
        if name not in declared:
            yield f"query {name!r} is not declared"
            continue
        schema = declared[name]["schema"]
        if not any(checked.fits(schema, value) for value in _meanings(text)):
            yield f"query {name}={text!r} does not fit"
    yield from (
        f"query {name!r} is required"
        for name, parameter in declared.items()
        if parameter.get("required") and name not in request.query
    )


def _meanings(text: str) -> Iterator[Any]:
    """The values that the text of a query parameter can mean."""
    yield text
    if re.fullmatch(r"-?\d+", text):
        yield int(text)
    if text.lower() in ("true", "false", "0", "1"):
        yield text.lower() in ("true", "1")


def _body(checked: Document, operation: Operation, request: LoggedRequest) -> Iterator[str]:
    declared = operation.data.get("requestBody")
    if request.json is None and not request.files:
        if declared and declared.get("required"):
            yield "a body is required"
        return
    if declared is None:
        yield "no body is declared"
        return
    kind = "multipart/form-data" if request.multipart else "application/json"
    if kind not in declared["content"]:
        yield f"{kind} is not declared"
        return
    schema = declared["content"][kind]["schema"]
    errors = [explain(error) for error in checked.validator(schema).iter_errors(request.json)]
    yield from errors
    if not errors:
        for path in sorted(set(checked.unknown(schema, request.json))):
            if not _tolerated(operation.name, path):
                yield f"{path} is not declared"


def _tolerated(operation: str, path: str) -> bool:
    return (operation, path) in TOLERATED or ("*", path) in TOLERATED


def _response(checked: Document, request: LoggedRequest) -> Iterator[str]:
    operation = checked.find(request.method, request.path)
    if operation is None or request.status is None:
        return
    responses = operation.data["responses"]
    status = str(request.status)
    key = status if status in responses else f"{status[0]}XX"
    if key not in responses:
        yield f"{operation.name}: status {status} is not declared"
        return
    declared = checked.resolve(responses[key])
    if "content" not in declared:
        return
    schema = declared["content"]["application/json"]["schema"]
    for error in checked.validator(schema).iter_errors(request.response):
        yield f"{operation.name} -> {status}: {explain(error)}"


def explain(error: ValidationError) -> str:
    """Where a value is wrong and why, by the branch that matched furthest."""
    while error.context:
        error = max(error.context, key=lambda inner: len(inner.absolute_path))
    return f"{error.json_path}: {error.message[:300]}"
