"""Homework and exercises that check themselves: ``check``, ``hint`` and ``solution`` for every question.

``from mlcourse_homework import perceptron as hw`` is a homework (a module of ``sets``);
``from mlcourse_homework.chapters import perceptron as ex`` has the code exercises of a chapter.
``python -m mlcourse_homework`` works on files.
"""

import importlib
import importlib.util
import pkgutil
from types import ModuleType


def __getattr__(name: str) -> ModuleType:
    """The homework of that name, loaded when it is asked for."""
    module = f"{__name__}.sets.{name}"
    if name.startswith("_") or importlib.util.find_spec(module) is None:
        raise AttributeError(f"there is no homework {name!r}")
    return importlib.import_module(module)


def __dir__() -> list[str]:
    from mlcourse_homework import sets

    return sorted([*globals(), *(info.name for info in pkgutil.iter_modules(sets.__path__))])
