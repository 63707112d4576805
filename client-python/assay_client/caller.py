"""Calls operations: builds the request, repeats what may be repeated, reads the reply. The generated class has the methods."""

from __future__ import annotations

import http.client
import random
import re
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import quote, urlencode

from .connections import Connections, Exchanged
from .errors import AssayError, NoReplyError
from .exact_json import dumps, loads
from .generated.table import OPERATIONS
from .operation import Operation
from .session import Session


class Unset:
    """The type of UNSET: a parameter that is not sent, unlike None, which is sent as null."""

    def __repr__(self) -> str:
        return "UNSET"


UNSET = Unset()


@dataclass(frozen=True, slots=True)
class CallOptions:
    client_id: str | None = None
    """The client (account) a PSP's call is about."""
    psp_id: str | None = None
    """The PSP an operator acts as."""
    expand: str | None = None
    """Parts to add to the reply, separated by commas."""
    timeout_s: float | None = None
    """Per attempt."""
    retries: int | None = None
    if_match: str | None = None
    """The etag of the reply that a change is based on: if it was changed since, PRECONDITION is raised and nothing is saved."""
    if_none_match: str | None = None
    """'*': the change is made only if there is none yet."""


@dataclass(frozen=True, slots=True)
class Reply:
    content: Any
    text: str
    """What was received; empty where it is no text."""
    message: str
    status: int
    headers: Mapping[str, str]
    request_id: str | None
    etag: str | None
    """The entity tag of what was read or saved, for if_match."""
    replayed: bool
    """Whether the same request was answered before."""


_by_method = {o.name: name for name, o in OPERATIONS.items()}
_passing = frozenset(("RATE_LIMITED", "OVERLOADED", "UNKNOWN_OUTCOME", "NOT_SEALED"))
# With these a proxy or the service says so too: the request came too slowly, too often, or not through.
_statuses = frozenset((408, 429, 502, 503, 504))


class Caller:
    def __init__(
        self,
        base_url: str,
        *,
        api_key: str | None = None,
        session: bool = False,
        client_id: str | None = None,
        psp_id: str | None = None,
        timeout_s: float = 30,
        retries: int = 3,
        context: ssl.SSLContext | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """
        retries is how often a call that may be repeated is repeated; session has calls made by the person who signs in with
        sign_in instead of with a key.
        """
        self._connections = Connections(base_url, context)
        self._api_key = api_key
        self._session = Session() if session else None
        self._client_id, self._psp_id = client_id, psp_id
        self._timeout_s, self._retries = timeout_s, retries
        self._sleep = sleep

    def __enter__(self):
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the kept connections; the client can still be used."""
        self._connections.close()

    def call(self, operation: str, given: Mapping[str, Any], options: CallOptions | None = None) -> Any:
        return self.reply(operation, given, options).content

    def reply(self, operation: str, given: Mapping[str, Any], options: CallOptions | None = None) -> Reply:
        """
        Calls an operation by its name on the wire or its method's, and returns its whole reply.

        Raises AssayError if the service refuses, NoReplyError if no reply came.
        """
        return self._repeated(_operation(operation), given, options or CallOptions())

    def csv(
        self, operation: str, options: CallOptions | None = None, *, language: str | None = None, **given: Any
    ) -> Reply:
        """
        A whole list as CSV, all rows that its filters find: csv("list_transactions", status="DECLINED").content.

        With a language, "en" or "fr", it is for people: headings and codes in words, as spreadsheets of that language read them.

        Raises ValueError if the operation is no list, NoReplyError if the file did not come to its end.
        """
        o = _operation(operation)
        if not o.csv:
            raise ValueError(f"{operation} is no list: it has no CSV file")
        accept = "text/csv" if language is None else f"text/csv; language={language}"
        return self._repeated(replace(o, text=True, accept=accept), given, options or CallOptions())

    def _repeated(self, o: Operation, given: Mapping[str, Any], options: CallOptions) -> Reply:
        path, body = _request(o, given, options)
        left = (self._retries if options.retries is None else options.retries) if o.idempotent else 0
        attempt, renewed = 0, False
        while True:
            try:
                return self._attempt(o, path, body, options)
            except (AssayError, NoReplyError) as e:
                if self._session and not renewed and isinstance(e, AssayError) and e.code == "CSRF":
                    # Nothing was done: another sign-in has replaced the token.
                    renewed = True
                    self._session.forget_token()
                    continue
                if attempt >= left or not _may_succeed_later(e):
                    raise
                self._sleep(_delay_s(attempt, e))
                attempt += 1

    def pages(self, operation: str, options: CallOptions | None = None, **given: Any) -> Iterator[Any]:
        """All items of a list: pages("list_transactions", status="DECLINED"). Each page is fetched when it is reached."""
        more: dict[str, Any] | None = {}
        while more is not None:
            page = self.call(operation, {**given, **more}, options)
            yield from page["items"]
            more = None
            if page.get("nextCursor") is not None:
                more = {"cursor": page["nextCursor"]}
            elif page.get("nextAfter") is not None:
                more = {"after": page["nextAfter"]}

    def _attempt(self, o: Operation, path: str, body: str | None, options: CallOptions) -> Reply:
        headers = self._headers(o, body, options)
        timeout_s = self._timeout_s if options.timeout_s is None else options.timeout_s
        what = f"{o.method} {o.path}"
        sent = None if body is None else body.encode()
        try:
            r = self._connections.exchange(o.method, path, headers, sent, timeout_s, o.idempotent)
        except TimeoutError as e:
            raise NoReplyError(f"{what}: no reply within {timeout_s} s", timed_out=True) from e
        except (OSError, http.client.HTTPException) as e:
            raise NoReplyError(f"{what}: no reply; the service could not be reached, or the reply broke off") from e
        if 300 <= r.status < 400:
            to = r.headers.get("location")
            where = f" to {to}" if to else ""
            says = f"{what}: redirected{where}; the client follows no redirect, check its base_url"
            raise AssayError(says, code="UNKNOWN", status=r.status)
        if r.status >= 400:
            raise _error_of(r)
        content, text, message = _read(o, r)
        if self._session:
            self._session.learn(o, r.headers, content)
        return Reply(
            content=content,
            text=text,
            message=message,
            status=r.status,
            headers=r.headers,
            request_id=r.headers.get("x-request-id"),
            etag=r.headers.get("etag"),
            replayed=r.headers.get("idempotency-replayed") == "true",
        )

    def _headers(self, o: Operation, body: str | None, options: CallOptions) -> dict[str, str]:
        given = {
            "accept": o.accept or ("*/*" if o.text or o.binary else "application/json"),
            "x-api-key": self._api_key,
            "x-client-id": options.client_id or self._client_id,
            "x-psp-id": options.psp_id or self._psp_id,
            "if-match": options.if_match,
            "if-none-match": options.if_none_match,
            "content-type": None if body is None else "application/json",
        }
        if self._session:
            asked = OPERATIONS["getSession"]
            given |= self._session.headers(o, lambda: self._attempt(asked, asked.path, None, options))
        return {name: value for name, value in given.items() if value is not None}


def _operation(name: str) -> Operation:
    o = OPERATIONS.get(name) or OPERATIONS.get(_by_method.get(name, ""))
    if o is None:
        raise ValueError(f"{name} is no operation of this version of the client")
    return o


def _request(o: Operation, given: Mapping[str, Any], options: CallOptions) -> tuple[str, str | None]:
    """Puts each parameter where it belongs: path, query or body."""
    rest = {name: value for name, value in given.items() if value is not UNSET}
    path = o.path
    for part in o.path.split("{")[1:]:
        name = part.split("}")[0]
        value = rest.pop(name, None)
        if value is None or value == "":
            raise ValueError(f"{o.name} needs {name}")
        path = path.replace("{" + name + "}", quote(str(value), safe=""))
    query = {} if options.expand is None else {"expand": options.expand}
    if not o.body:
        query |= {name: _in_query(value) for name, value in rest.items() if value is not None}
    if query:
        path += "?" + urlencode(query)
    return path, dumps(rest, o.decimals) if o.body else None


def _in_query(value: Any) -> str:
    if isinstance(value, float):
        raise TypeError(f"{value!r} is a float, which is not exact; give Decimal('12.50') or '12.50'")
    return str(value).lower() if isinstance(value, bool) else str(value)


def _read(o: Operation, r: Exchanged) -> tuple[Any, str, str]:
    if o.binary:
        return r.body, "", ""
    try:
        text = r.body.decode()
        if o.text:
            return text, text, ""
        read = loads(text, o.integers)
    except ValueError as e:
        raise _error_of(r) from e
    # A document such as a report's JSON has no envelope.
    if isinstance(read, dict) and "success" in read:
        return read["content"], text, read["message"]
    return read, text, ""


def _error_of(r: Exchanged) -> AssayError:
    message = None
    try:
        message = loads(r.body.decode()).get("message")
    except (ValueError, AttributeError):
        pass
    return AssayError(
        message if isinstance(message, str) else f"the service answered {r.status} with something else than Assay's JSON",
        code=r.headers.get("x-error-code") or ("INTERNAL" if r.status >= 500 else "UNKNOWN"),
        status=r.status,
        request_id=r.headers.get("x-request-id"),
        retry_after_s=_seconds_until(r.headers.get("retry-after", "")),
    )


def _seconds_until(text: str) -> float | None:
    """Of Retry-After: seconds, or a date."""
    if re.fullmatch(r"[0-9]{1,15}", text):
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except ValueError:
        return None


def _may_succeed_later(e: AssayError | NoReplyError) -> bool:
    return isinstance(e, NoReplyError) or e.code in _passing or e.status in _statuses


def _delay_s(attempt: int, e: AssayError | NoReplyError) -> float:
    """Doubles each time, half of it random so that callers do not retry together, and at least what was asked, up to a minute."""
    grown = min(10.0, 0.2 * 2**attempt)
    asked = min(60.0, e.retry_after_s or 0) if isinstance(e, AssayError) else 0
    return max(asked, grown / 2) + random.random() * grown / 2
