"""What the client knows of an operation at run time; the generated table has one of each."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Operation:
    name: str
    """The method of the client."""
    method: str
    path: str
    """With {name} in place of each path parameter."""
    body: bool = False
    text: bool = False
    """Answers with a text instead of the envelope."""
    binary: bool = False
    """Answers with a document that is no text."""
    csv: bool = False
    """A list, which is a CSV file too."""
    accept: str | None = None
    """The form of the reply that is asked for; the operation's own without it."""
    idempotent: bool = False
    """Sending it twice has the same effect as sending it once."""
    decimals: tuple[str, ...] = ()
    """Names of the body's exact decimals: items[] for members of a list, amounts.* for any member of an object."""
    integers: tuple[str, ...] = ()
    """Names of whole numbers in the reply that are counts, not amounts."""
