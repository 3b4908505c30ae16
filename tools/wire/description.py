"""Requests checked against Discord's own description of its API, if that is available beside the project."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).resolve().parents[3] / "shared" / "discord-openapi.json"
_METHODS = ("get", "post", "put", "patch", "delete")


def is_here() -> bool:
    return FILE.is_file()


class Description:
    """Says what is wrong with a request."""

    def __init__(self) -> None:
        self._all = json.loads(FILE.read_text("utf-8"))
        self._routes = {
            f"{method.upper()} {_shape(path)}": operation
            for path, operations in self._all["paths"].items()
            for method, operation in operations.items()
            if method in _METHODS
        }

    def faults(self, route: str, body: Any, *, multipart: bool) -> list[str]:
        """Return the objections of the description to this request; empty if all is well."""
        operation = self._routes.get(_shape(route))
        if operation is None:
            return [f"{route}: there is no such route"]
        if body is None:
            return []
        if "requestBody" not in operation:
            return [f"{route}: takes no body"]
        validator = self._validator(_shape(route), "multipart/form-data" if multipart else "application/json")
        if validator is None:
            return [f"{route}: takes no {'upload' if multipart else 'JSON'}"]
        return [
            f"{route}: {'/'.join(map(str, error.path))}: {error.message[:300]}"
            for error in validator.iter_errors(normal(body))
        ]

    @cache  # noqa: B019  # one description lives as long as the process
    def _validator(self, route: str, kind: str) -> Any:
        from jsonschema import Draft202012Validator

        content = self._routes[route]["requestBody"]["content"].get(kind)
        if content is None:
            return None
        return Draft202012Validator({**content["schema"], "components": self._all["components"]})


def _shape(path: str) -> str:
    return re.sub(r"\{[^}]*\}", "{}", path)


def normal(body: Any) -> Any:
    """Return the body with ids as described: discord.py writes some as integers, which Discord also accepts."""
    if isinstance(body, dict):
        return {key: _normal_value(key, value) for key, value in body.items()}
    return [normal(item) for item in body] if isinstance(body, list) else body


def _normal_value(key: str, value: Any) -> Any:
    if key == "attachments" and isinstance(value, list):
        return [{**item, "id": str(item["id"])} if isinstance(item, dict) and "id" in item else item for item in value]
    if key == "recipient_id" and isinstance(value, int):
        return str(value)
    if key == "emoji" and isinstance(value, dict) and isinstance(value.get("id"), int):
        return {**value, "id": str(value["id"])}
    if key == "users" and isinstance(value, list):
        return [str(user) for user in value]
    return normal(value)
