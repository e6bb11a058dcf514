"""The figures with controls, one module each; a page shows one with the directive ``{interactive}``.

A module has a function ``figure()`` that returns a ``drawing.Interactive``. All numbers come from `mlcourse`; the page
carries what changes from one setting of the controls to the next, and no Python.
"""

import importlib
import pkgutil

NAMES = sorted(module.name for module in pkgutil.iter_modules(__path__) if module.name != "drawing")


def make(name):
    """The figure of that name."""
    if name not in NAMES:
        raise LookupError(f"there is no figure {name!r}; there are {', '.join(NAMES)}")
    return importlib.import_module(f"{__name__}.{name}").figure()
