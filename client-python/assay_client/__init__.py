"""The client of Assay's API: a method for each operation, exact amounts, safe repetition, errors by code, webhooks."""

from .caller import UNSET, CallOptions, Reply, Unset
from .client import Assay
from .errors import AssayError, NoReplyError, WebhookError
from .exact_json import dumps, loads
from .webhooks import verify_webhook

__all__ = [
    "UNSET",
    "Assay",
    "AssayError",
    "CallOptions",
    "NoReplyError",
    "Reply",
    "Unset",
    "WebhookError",
    "dumps",
    "loads",
    "verify_webhook",
]
__version__ = "0.1.0"
