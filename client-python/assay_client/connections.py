"""Sends one request and reads its whole reply over HTTP. It follows no redirect, since the key would go along."""

from __future__ import annotations

import http.client
import ssl
import time
from collections import deque
from dataclasses import dataclass
from urllib.parse import urlsplit

# Node closes a connection that was idle for five seconds.
_idle_s = 4.0
_kept = 8


@dataclass(frozen=True, slots=True)
class Exchanged:
    status: int
    headers: http.client.HTTPMessage
    body: bytes


class Connections:
    """Connections to one service, kept between calls; safe to use from several threads."""

    def __init__(self, base_url: str, context: ssl.SSLContext | None) -> None:
        parts = urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"base_url must be an http or https address, not '{base_url}'")
        self._secure = parts.scheme == "https"
        self._host, self._port = parts.hostname, parts.port
        self._prefix = parts.path.rstrip("/")
        self._context = context
        self._free: deque[tuple[float, http.client.HTTPConnection]] = deque(maxlen=_kept)

    def exchange(
        self, method: str, path: str, headers: dict[str, str], body: bytes | None, timeout_s: float, reuse: bool
    ) -> Exchanged:
        """
        reuse allows a connection of an earlier call, which the service may just have closed: only for what may be repeated.

        Raises OSError or http.client.HTTPException if no whole reply came.
        """
        deadline = time.monotonic() + timeout_s
        kept = self._take() if reuse else None
        if kept is not None:
            try:
                return self._on(kept, method, path, headers, body, deadline)
            except (ConnectionError, http.client.HTTPException):
                pass
        return self._on(self._open(timeout_s), method, path, headers, body, deadline)

    def close(self) -> None:
        while self._free:
            self._free.popleft()[1].close()

    def _open(self, timeout_s: float) -> http.client.HTTPConnection:
        if self._secure:
            context = self._context or ssl.create_default_context()
            return http.client.HTTPSConnection(self._host, self._port, timeout=timeout_s, context=context)
        return http.client.HTTPConnection(self._host, self._port, timeout=timeout_s)

    def _take(self) -> http.client.HTTPConnection | None:
        while True:
            try:
                since, connection = self._free.pop()
            except IndexError:
                return None
            if time.monotonic() - since < _idle_s:
                return connection
            connection.close()

    def _on(
        self,
        connection: http.client.HTTPConnection,
        method: str,
        path: str,
        headers: dict[str, str],
        body: bytes | None,
        deadline: float,
    ) -> Exchanged:
        try:
            self._limit(connection, deadline)
            connection.request(method, f"{self._prefix}{path}", body, headers)
            self._limit(connection, deadline)
            response = connection.getresponse()
            content = bytearray()
            while chunk := response.read1(1 << 16):
                content += chunk
                self._limit(connection, deadline)
            if response.length:
                raise http.client.IncompleteRead(bytes(content), response.length)
            # A connection takes its next request only once the reply before is closed.
            response.close()
        except BaseException:
            connection.close()
            raise
        if response.will_close:
            connection.close()
        else:
            self._free.append((time.monotonic(), connection))
        return Exchanged(response.status, response.headers, bytes(content))

    @staticmethod
    def _limit(connection: http.client.HTTPConnection, deadline: float) -> None:
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        if connection.sock is not None:
            connection.sock.settimeout(left)
