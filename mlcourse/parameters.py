"""Things with parameters: estimators and kernels."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any, Self


class Parametrised:
    """Something with parameters: the signature of ``__init__`` is the list of them."""

    _valid: Mapping[str, Callable] = {}  # parameter -> check(name, value)

    def __init__(self):
        """No parameters, unless the class says otherwise."""

    @classmethod
    def _parameter_names(cls) -> list[str]:
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name; with ``deep`` also those of parameters that are estimators."""
        params = {name: getattr(self, name) for name in self._parameter_names()}
        if deep:
            for name, value in list(params.items()):
                if hasattr(value, "get_params") and not isinstance(value, type):
                    params |= {f"{name}__{inner}": v for inner, v in value.get_params().items()}
        return params

    def set_params(self, **params: Any) -> Self:
        """Change parameters by name (``inner__name`` reaches into a parameter); returns ``self``."""
        known = self._parameter_names()
        for name in params:
            if name.partition("__")[0] not in known:
                raise ValueError(f"{type(self).__name__} has no parameter {name!r}; its parameters: {', '.join(known)}")
        for name, value in sorted(params.items(), key=lambda item: "__" in item[0]):  # whole parameters first
            outer, _, inner = name.partition("__")
            if inner:
                getattr(self, outer).set_params(**{inner: value})
            else:
                setattr(self, outer, value)
        return self

    def __repr__(self):
        defaults = inspect.signature(type(self).__init__).parameters
        changed = {k: v for k, v in self.get_params(deep=False).items() if repr(v) != repr(defaults[k].default)}
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in changed.items())})"

    def _check_params(self):
        for name, check in self._valid.items():
            check(name, getattr(self, name))
