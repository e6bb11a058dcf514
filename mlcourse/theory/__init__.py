"""What was promised: bounds and identities as pure functions of numbers, registered by the book's label.

Nothing here imports the rest of the package. Values are never clipped: a bound above 1 says nothing,
and that is worth seeing. Every public function of a module below is found here too. Unless a module says otherwise,
m is the size of the sample, epsilon a deviation or an accuracy, delta the probability with which a promise may fail.
"""

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

from mlcourse.theory.registry import STATEMENTS

SHARED = {"all_margins_deviation", "checked_tree", "index_bits", "read_tree"}  # steps, not promises

__all__ = ["STATEMENTS"]
for _module in [import_module(f"{__name__}.{info.name}") for info in iter_modules(__path__)]:
    for _name, _thing in vars(_module).items():
        if getattr(_thing, "__module__", "") == _module.__name__ and not _name.startswith("_") and _name not in SHARED:
            if _name in __all__:
                raise ImportError(f"two modules of {__name__} define {_name}")
            globals()[_name] = _thing
            __all__.append(_name)
__all__.sort()

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...
