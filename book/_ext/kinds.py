"""Sphinx extension: the API page names the kinds of arguments (Points, Positive, ...) instead of spelling them out.

A kind is a type hint with a check behind it, see ``mlcourse/arguments/kinds.py``. autodoc would print both.
"""

import inspect
import types
import typing

from numpy.typing import ArrayLike
from sphinx.application import Sphinx

from mlcourse.arguments import kinds as arguments

ARRAY_LIKE = set(typing.get_args(ArrayLike))  # NumPy spells it out as a choice between many types


def kinds(names: dict) -> dict:
    """The kinds among the names of a module."""
    return {name: hint for name, hint in names.items() if typing.get_origin(hint) is typing.Annotated}


def named(hint, known: dict) -> str | None:
    """The hint in words, as "Vector | None", if it is a kind or a choice between kinds and types; else None."""
    for name, kind in known.items():
        if hint == kind:
            return name
    if typing.get_origin(hint) not in (typing.Union, types.UnionType):
        return None
    choice = typing.get_args(hint)
    if set(choice) >= ARRAY_LIKE:
        choice = [types.SimpleNamespace(__name__="ArrayLike"), *(part for part in choice if part not in ARRAY_LIKE)]
    parts = [named(part, known) or getattr(part, "__name__", "") for part in choice]
    return " | ".join("None" if part == "NoneType" else part for part in parts) if all(parts) else None


def name_kinds(app: Sphinx, thing, bound: bool) -> None:
    """Put names in the place of the kinds in the annotations of a function and of the one that it wraps."""
    for function in (thing, inspect.unwrap(thing)):
        if isinstance(function, types.FunctionType):
            known = kinds(vars(arguments)) | kinds(inspect.unwrap(function).__globals__)
            app.config.autodoc_type_aliases.update({name: name for name in (*known, "ArrayLike")})
            hints = {key: named(hint, known) or hint for key, hint in function.__annotations__.items()}
            function.__annotations__ = hints


def setup(app: Sphinx) -> dict:
    app.connect("autodoc-before-process-signature", name_kinds)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
