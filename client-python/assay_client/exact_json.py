"""Exact decimals in JSON: read as Decimal from the text in the source, written digit by digit. No float is read or written."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from decimal import Decimal
from typing import Any

_form = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


def loads(text: str, integers: Collection[str] = ()) -> Any:
    """Parses JSON with every number as Decimal, except the named integers."""
    counts = frozenset(integers)

    def exact(value: Any) -> Any:
        if isinstance(value, int) and not isinstance(value, bool):
            return Decimal(value)
        return [exact(v) for v in value] if isinstance(value, list) else value

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        return {key: value if key in counts else exact(value) for key, value in pairs}

    return exact(json.loads(text, parse_float=Decimal, object_pairs_hook=members))


def dumps(value: Any, decimals: Collection[str] = ()) -> str:
    """
    JSON of a value. Decimals are written digit by digit, and so is text where a decimal is named.

    Raises TypeError for a float, and ValueError for a text or Decimal that is no decimal number of JSON.
    """
    return _written(value, "", frozenset(decimals))


def _written(value: Any, name: str, names: frozenset[str]) -> str:
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, str):
        return _decimal(value, name) if name in names else json.dumps(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Decimal):
        return _decimal(format(value, "f") if value.is_finite() else str(value), name)
    if isinstance(value, float):
        raise TypeError(f"{name}: {value!r} is a float, which is not exact; give Decimal('12.50') or '12.50'")
    if isinstance(value, dict):
        any_name = f"{name}.*" if f"{name}.*" in names else None
        members = (f"{json.dumps(str(k))}: {_written(v, any_name or str(k), names)}" for k, v in value.items())
        return "{" + ", ".join(members) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_written(v, f"{name}[]", names) for v in value) + "]"
    raise TypeError(f"{name}: {type(value).__name__} cannot be written as JSON")


def _decimal(text: str, name: str) -> str:
    if _form.fullmatch(text) is None:
        raise ValueError(f"{name}: '{text}' is no decimal number; write it like 12.50")
    return text
