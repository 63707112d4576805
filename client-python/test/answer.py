"""
Makes the calls of service/test/client/python.test.ts with the client and says what came of them: a JSON document a line, on
standard input and output. Each reply is held against the type that the method promises.
"""

from __future__ import annotations

import json
import sys
import tomllib
import types
import typing
from decimal import Decimal
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

import assay_client
from assay_client import Assay, AssayError, CallOptions, NoReplyError, WebhookError, dumps, loads, verify_webhook
from assay_client.generated import operations, resources
from assay_client.generated.table import OPERATIONS


def wrong(value: Any, hint: Any, at: str) -> list[str]:
    """What of a value is not as its type says, each a sentence."""
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if hint is Any:
        return []
    if origin in (typing.NotRequired, typing.Required):
        return wrong(value, args[0], at)
    if origin in (typing.Union, types.UnionType):
        found = [wrong(value, a, at) for a in args]
        return [] if [] in found else min(found, key=len)
    if origin is typing.Literal:
        return [] if value in args else [f"{at}: {value!r} is none of {args}"]
    if origin is list:
        if not isinstance(value, list):
            return [f"{at}: {value!r} is no list"]
        return [w for i, v in enumerate(value) for w in wrong(v, args[0], f"{at}[{i}]")]
    if origin is dict:
        if not isinstance(value, dict):
            return [f"{at}: {value!r} is no dict"]
        return [w for k, v in value.items() for w in wrong(v, args[1], f"{at}.{k}")]
    if typing.is_typeddict(hint):
        if not isinstance(value, dict):
            return [f"{at}: {value!r} is no {hint.__name__}"]
        members = typing.get_type_hints(hint, include_extras=True)
        needed = [k for k, h in members.items() if typing.get_origin(h) is not typing.NotRequired]
        missing = [f"{at}: {k} of {hint.__name__} is missing" for k in needed if k not in value]
        more = [f"{at}: {hint.__name__} has no {k}" for k in value if k not in members]
        return missing + more + [w for k, v in value.items() if k in members for w in wrong(v, members[k], f"{at}.{k}")]
    if hint is None or hint is type(None):
        return [] if value is None else [f"{at}: {value!r} is not None"]
    return [] if type(value) is hint else [f"{at}: {value!r} is no {hint.__name__}"]


class Remembering(Assay):
    last: Any = None

    def reply(self, *args: Any, **more: Any) -> Any:
        self.last = super().reply(*args, **more)
        return self.last


def call(asked: dict[str, Any]) -> dict[str, Any]:
    slept: list[float] = []
    options = CallOptions(**asked.get("options", {}))
    person = asked.get("person")
    client = Remembering(asked["base"], api_key=None if person else asked["key"], session=person is not None, sleep=slept.append)
    if person is not None:
        begun = client.sign_in(email=person["email"], password=person["password"])
        if "challenge" in begun:
            client.complete_sign_in(challenge=begun["challenge"], code=person["code"])
    name = asked["operation"]
    method = getattr(client, OPERATIONS[name].name)
    given = {f"{k}_" if k == "from" else k: v for k, v in asked["given"].items()}
    try:
        if asked.get("pages"):
            items = list(client.pages(name, options, **given))
            return {"items": dumps(items)}
        if asked.get("csv"):
            return {"file": client.csv(name, options, **given).content}
        content = method(**given, options=options)
        hint = typing.get_type_hints(method)["return"]
        is_bytes = isinstance(content, bytes)
        return {
            "content": None if is_bytes else dumps(content),
            "bytes": len(content) if is_bytes else None,
            "text": client.last.text,
            "wrong": wrong(content, hint, name),
            "requestId": client.last.request_id,
            "etag": client.last.etag,
            "replayed": client.last.replayed,
            "slept": slept,
        }
    except AssayError as e:
        said = {"code": e.code, "status": e.status, "kind": e.kind, "field": e.field, "message": e.message}
        return {"error": {**said, "requestId": e.request_id, "retryAfterS": e.retry_after_s}, "slept": slept}
    except NoReplyError as e:
        return {"noReply": str(e), "timedOut": e.timed_out, "slept": slept}
    except (TypeError, ValueError) as e:
        return {"mistake": f"{type(e).__name__}: {e}", "slept": slept}
    finally:
        client.close()


def webhook(asked: dict[str, Any]) -> dict[str, Any]:
    try:
        event = verify_webhook(
            asked["body"], asked["headers"], asked["secret"], form=asked["form"], now=float(asked["now"])
        )
        return {"event": dumps(event)}
    except WebhookError as e:
        return {"refused": str(e)}
    except ValueError as e:
        return {"mistake": str(e)}


def described(_: dict[str, Any]) -> dict[str, Any]:
    """Every name in a type resolves, there is a method for each operation, and the package holds what there is."""
    root = Path(__file__).parent.parent
    project = tomllib.loads((root / "pyproject.toml").read_text())
    folders = {".".join(f.parent.relative_to(root).parts) for f in root.glob("assay_client/**/__init__.py")}
    assert set(project["tool"]["setuptools"]["packages"]) == folders
    assert project["project"]["version"] == assay_client.__version__
    for kind in vars(resources).values():
        if typing.is_typeddict(kind):
            typing.get_type_hints(kind, include_extras=True)
    names = {o.name for o in OPERATIONS.values()}
    methods = {n: m for n, m in vars(operations.Operations).items() if isinstance(m, types.FunctionType)}
    for method in methods.values():
        typing.get_type_hints(method)
    return {"operations": list(OPERATIONS), "without": sorted(names ^ set(methods))}


def floats(asked: dict[str, Any]) -> dict[str, Any]:
    """A float among the amounts of a call, which the line of JSON cannot say."""
    client = Assay(asked["base"], api_key="asy_none")
    said = []
    for amount in (107.5, Decimal("NaN"), Decimal("Infinity"), "12,50", ""):
        try:
            client.net_chargeback(ref="a", chargebackId="b", transactionId="c", vatAmount=amount)
        except (TypeError, ValueError) as e:
            said.append(str(e))
    return {"said": said}


for line in sys.stdin:
    asked = loads(line, ("timeout_s", "retries", "limit"))
    do = {"call": call, "webhook": webhook, "described": described, "floats": floats}[asked["do"]]
    print(json.dumps(do(asked)), flush=True)
