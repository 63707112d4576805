"""Checks that a webhook request comes from Assay: Standard Webhooks, or X-Signature, which has no timestamp."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
import time
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from .errors import WebhookError
from .exact_json import loads

_hex = re.compile(r"[0-9a-fA-F]{64}")


def verify_webhook(
    body: bytes | str,
    headers: Mapping[str, str],
    secret: str | Sequence[str],
    *,
    form: Literal["standard", "x-signature"] = "standard",
    tolerance_s: float = 300,
    now: float | None = None,
) -> dict[str, Any]:
    """
    Returns the event of a genuine request, with every amount as Decimal.

    body is what was received, before any parsing; secret is "whsec_…", both the old and the new one during a rotation. Drop
    events whose id was seen before: they are repeated deliveries.

    Raises WebhookError for any other request, and ValueError for a secret that is none.
    """
    raw = body.encode() if isinstance(body, str) else bytes(body)
    given = {name.lower(): value for name, value in headers.items()}
    secrets = [secret] if isinstance(secret, str) else list(secret)
    if not all(s.removeprefix("whsec_") for s in secrets):
        # Anybody can sign with an empty key.
        raise ValueError("a secret is empty")
    if form == "x-signature":
        genuine = _holds_whole(raw, given.get("x-signature", ""), secrets)
    else:
        genuine = _holds_standard(raw, given, secrets, tolerance_s, time.time() if now is None else now)
    if not genuine:
        raise WebhookError("the signature is not by this secret: the request is forged or was altered")
    try:
        event = loads(raw.decode(), ("version",))
    except ValueError as e:
        raise WebhookError("the body is not JSON") from e
    if not isinstance(event, dict):
        raise WebhookError("the body is no event")
    return event


def _holds_standard(
    body: bytes, headers: Mapping[str, str], secrets: Sequence[str], tolerance_s: float, now: float
) -> bool:
    stamp = headers.get("webhook-timestamp", "")
    if re.fullmatch(r"[0-9]{1,15}", stamp) is None or abs(now - int(stamp)) > tolerance_s:
        raise WebhookError(f"webhook-timestamp is more than {tolerance_s} seconds away from the clock here")
    signed = f"{headers.get('webhook-id', '')}.{stamp}.".encode() + body
    signatures = [_from_base64(s[3:]) for s in headers.get("webhook-signature", "").split(" ") if s.startswith("v1,")]
    for secret in secrets:
        key = _from_base64(secret.removeprefix("whsec_"))
        if key is None:
            raise ValueError("the secret is not written as whsec_ and base64")
        expected = hmac.digest(key, signed, hashlib.sha256)
        if any(s is not None and hmac.compare_digest(s, expected) for s in signatures):
            return True
    return False


def _holds_whole(body: bytes, given: str, secrets: Sequence[str]) -> bool:
    if _hex.fullmatch(given) is None:
        return False
    signature = bytes.fromhex(given)
    return any(hmac.compare_digest(signature, hmac.digest(s.encode(), body, hashlib.sha256)) for s in secrets)


def _from_base64(text: str) -> bytes | None:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
