"""The client itself: the generated operations over the caller."""

from .generated.operations import Operations


class Assay(Operations):
    """Calls a service: Assay("https://assay.example", api_key="asy_…").verify_transaction(ref=…, …)."""
