"""The client's errors: a refusal by the service, a call without a reply, a webhook that is not genuine."""

from __future__ import annotations

import re

from .generated.codes import CODES

_named = re.compile(r"the (?:field|query parameter|path parameter|parameter) '([^']+)'", re.IGNORECASE)


class AssayError(Exception):
    """The service refused the call or failed to handle it."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int,
        request_id: str | None = None,
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        """Error code for programs; docs/reference/refusals.md lists all. A newer service may return others."""
        self.status = status
        self.request_id = request_id
        """Identifies the request in the service's log."""
        self.retry_after_s = retry_after_s
        """Seconds after which a retry makes sense."""

    @property
    def kind(self) -> str:
        """Kind of refusal: "invalid", "conflict", "limited" and so on; "unknown" for a code of a newer service."""
        return CODES[self.code][0] if self.code in CODES else "unknown"

    @property
    def field(self) -> str | None:
        """The field or parameter that the message names, for people: decide by the code."""
        found = _named.search(self.message)
        return found[1] if found else None


class NoReplyError(Exception):
    """No reply came in time. Whether the service did anything is unknown."""

    def __init__(self, message: str, *, timed_out: bool = False) -> None:
        super().__init__(message)
        self.timed_out = timed_out


class WebhookError(Exception):
    """The request is not from Assay, or too old; answer 401."""
