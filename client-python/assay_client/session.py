"""The session of a person who signed in: its cookie, and the token that calls which change something must send."""

from __future__ import annotations

from collections.abc import Callable
from http.client import HTTPMessage
from typing import Any

from .operation import Operation

_path = "/v1/session"
# Calls that nobody has to be signed in for.
_opening = (
    _path,
    "/v1/session/second-factor",
    "/v1/session/passkey/sign-in/start",
    "/v1/session/passkey/sign-in",
    "/v1/session/provider/{provider}/start",
    "/v1/session/provider/{provider}",
)


class Session:
    def __init__(self) -> None:
        self._cookie: str | None = None
        self._token: str | None = None

    def headers(self, o: Operation, ask: Callable[[], object]) -> dict[str, str | None]:
        """Headers of a call; fetches the token if it is not known yet."""
        opening = o.path in _opening and o.method == "POST"
        if o.method != "GET" and not opening and self._token is None:
            ask()
        return {"cookie": self._cookie, "x-csrf-token": None if o.method == "GET" else self._token}

    def learn(self, o: Operation, headers: HTTPMessage, content: Any) -> None:
        """Takes from a reply what the next call needs."""
        for line in headers.get_all("set-cookie") or []:
            pair = line.split(";")[0]
            self._cookie = None if pair.endswith("=") else pair
        if o.path == _path and o.method == "DELETE":
            self._cookie = self._token = None
        elif (o.path == _path or o.path.startswith(f"{_path}/")) and isinstance(content, dict):
            token = content.get("csrfToken")
            if isinstance(token, str):
                self._token = token

    def forget_token(self) -> None:
        """Called when the token was refused; the next call fetches the current one."""
        self._token = None
