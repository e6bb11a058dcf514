"""The rooms of the package and the one direction between them; planted packages break each rule."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
GROUND = {"arguments", "trace"}
MAY_IMPORT = {  # room -> the rooms it may import from, besides itself; a room not listed may import nothing
    "arguments": set(),
    "trace": {"arguments"},
    "base": GROUND,
    "data": GROUND | {"base"},
    "losses": GROUND | {"base"},
    "optim": GROUND | {"base", "data", "losses"},
    "models": GROUND | {"base", "data", "losses", "optim"},
    "ensembles": GROUND | {"base", "data", "losses", "optim", "models"},
    "evaluation": GROUND | {"base"},
    "testing": GROUND | {"base"},
    "theory": {"arguments"},
    "plots": set(),
}
ANYTHING = {"__init__"}
LIBRARIES = {"numpy", "scipy"}
GUESTS = {  # a library, the one file that may import it, and the function it must stay in
    "matplotlib": ("plots.py", None),
    "sklearn": ("base.py", "__sklearn_tags__"),
    "tqdm": ("trace.py", "_with_bar"),
}
PRINTERS = {"homework/__main__.py"}  # a command line
GENERATORS = {"default_rng", "Generator", "SeedSequence", "BitGenerator", "PCG64"}
HINTED = {*MAY_IMPORT} - {"arguments"}  # rooms in which every public function and method has type hints
MAX_DOCSTRING = 25


def modules(root):
    """Every (path inside the package, tree) of the package under `root`."""
    package = root / "mlcourse"
    for file in sorted(package.rglob("*.py")):
        yield file.relative_to(package), ast.parse(file.read_text("utf8"), str(file))


def room(path):
    """The room a file belongs to: its folder, or its own name at the top of the package."""
    return path.parts[0].removesuffix(".py")


def imports(path, tree):
    """Every (dotted name, line, enclosing functions) imported by a module, relative imports made absolute."""
    here = ["mlcourse", *path.parts[:-1]]

    def visit(node, functions):
        for child in ast.iter_child_nodes(node):
            inner = (*functions, child.name) if isinstance(child, ast.FunctionDef) else functions
            if isinstance(child, ast.Import):
                yield from ((alias.name, child.lineno, functions) for alias in child.names)
            elif isinstance(child, ast.ImportFrom):
                base = ".".join(here[: len(here) - child.level + 1]) if child.level else ""
                module = ".".join(part for part in (base, child.module) if part)
                yield from ((f"{module}.{alias.name}", child.lineno, functions) for alias in child.names)
            yield from visit(child, inner)

    yield from visit(tree, ())


def arrow_problems(root):
    """Imports from one room of the package into another that go the wrong way."""
    rooms = {room(path) for path, _ in modules(root)}
    for path, tree in modules(root):
        here = room(path)
        for name, line, _ in imports(path, tree):
            top, _, rest = name.partition(".")
            there = rest.split(".")[0] if rest.split(".")[0] in rooms else "__init__"
            if top == "mlcourse" and here not in ANYTHING and there not in MAY_IMPORT.get(here, set()) | {here}:
                yield f"{path}:{line}: {here} may not import from {there}"


def library_problems(root):
    """Imports of libraries the package does not stand on."""
    for path, tree in modules(root):
        for name, line, functions in imports(path, tree):
            top = name.split(".")[0]
            file, function = GUESTS.get(top, (None, None))
            welcome = file == path.as_posix() and function in (None, *functions)
            if not welcome and top not in {"mlcourse", *LIBRARIES, *sys.stdlib_module_names}:
                yield f"{path}:{line}: {top} may not be imported here"


def print_problems(root):
    """Calls that print."""
    for path, tree in modules(root):
        if path.as_posix() in PRINTERS:
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("print", "sys.stdout.write"):
                yield f"{path}:{node.lineno}: it prints"


def random_problems(root):
    """Uses of a global random state."""
    for path, tree in modules(root):
        for name, line, _ in imports(path, tree):
            if name.split(".")[0] == "random" or (
                name.startswith("numpy.random.") and name.split(".")[2] not in GENERATORS
            ):
                yield f"{path}:{line}: it imports {name}"
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func).startswith(("np.random.", "numpy.random.")):
                if ast.unparse(node.func).split(".")[2] not in GENERATORS:
                    yield f"{path}:{node.lineno}: it calls {ast.unparse(node.func)}"


def docstring_problems(root):
    """Public modules, functions, classes and methods without a docstring, and too long docstrings."""
    for path, tree in modules(root):
        for name, node in [("the module", tree), *public_definitions(tree)]:
            text = ast.get_docstring(node)
            if not text and not is_inherited(name, tree):
                yield f"{path}:{getattr(node, 'lineno', 1)}: {name} has no docstring"
            elif text and len(text.splitlines()) > MAX_DOCSTRING:
                yield f"{path}: the docstring of {name} has {len(text.splitlines())} lines"


def hint_problems(root):
    """Functions whose arguments are checked by their hints (``@inspected``, ``@returns_trace``) and that lack one."""
    for path, tree in modules(root):
        for node in ast.walk(tree):
            decorators = {ast.unparse(decorator) for decorator in getattr(node, "decorator_list", [])}
            at_the_door = {"checks_arguments", "returns_trace"} & decorators
            if isinstance(node, ast.FunctionDef) and at_the_door and (bare := lacking(node)):
                yield f"{path}:{node.lineno}: {node.name} lacks a type hint: {', '.join(bare)}"


def public_hint_problems(root):
    """Public functions and methods of the hinted rooms that lack a type hint."""
    for path, tree in modules(root):
        for name, node in public_definitions(tree):
            if room(path) in HINTED and isinstance(node, ast.FunctionDef) and (bare := lacking(node)):
                yield f"{path}:{node.lineno}: {name} lacks a type hint: {', '.join(bare)}"


def lacking(function):
    """What of a function has no type hint: names of its parameters, "of its value"."""
    named = (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
    bare = [a.arg for a in named if a.annotation is None and a.arg not in ("self", "cls")]
    return bare + ["of its value"] * (function.returns is None and function.name != "__init__")


def public_definitions(tree):
    """The (name, node) of a module's public functions and classes, and of their public methods."""
    kinds = ast.FunctionDef | ast.ClassDef
    for node in tree.body:
        if isinstance(node, kinds) and not node.name.startswith("_"):
            yield node.name, node
            if isinstance(node, ast.ClassDef):
                yield from (
                    (f"{node.name}.{child.name}", child)
                    for child in node.body
                    if isinstance(child, kinds) and not child.name.startswith("_")
                )


def is_inherited(name, tree):
    """Whether `name` is a method of a class with bases, which may inherit its docstring."""
    holder, _, method = name.partition(".")
    return bool(method) and any(
        node.name == holder and node.bases for node in tree.body if isinstance(node, ast.ClassDef)
    )


CHECKS = [
    arrow_problems,
    library_problems,
    print_problems,
    random_problems,
    docstring_problems,
    hint_problems,
    public_hint_problems,
]


@pytest.mark.parametrize("problems", CHECKS, ids=lambda check: check.__name__)
def test_package(problems):
    found = list(problems(ROOT))
    assert not found, "\n".join(found)


BLOCKED = """
import importlib, pkgutil, sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"sklearn", "matplotlib"}:
            raise ImportError(f"{name} is blocked")

sys.meta_path.insert(0, Blocker())
import mlcourse
for module in pkgutil.walk_packages(mlcourse.__path__, "mlcourse."):
    if module.name != "mlcourse.plots":
        importlib.import_module(module.name)
assert not {"sklearn", "matplotlib"} & {*sys.modules}
"""


def imported(folder):
    """The outcome of importing the package of a folder without scikit-learn and matplotlib."""
    return subprocess.run([sys.executable, "-c", BLOCKED], cwd=folder, capture_output=True, text=True)


def test_package_imports_without_scikit_learn_and_matplotlib():
    done = imported(ROOT)
    assert done.returncode == 0, done.stderr


# ------------------------------------------------------------------------------- the rules can fail


def planted(tmp_path, path, source):
    """A small package with one more file."""
    for name in ("__init__.py", "base.py", "losses/__init__.py", "optim/__init__.py", "theory/__init__.py", path):
        file = tmp_path / "mlcourse" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text('"""A room."""\n' + (source if name == path else ""), "utf8")
    return tmp_path


@pytest.mark.parametrize(
    ("check", "path", "source", "message"),
    [
        (arrow_problems, "losses/a.py", "from mlcourse.optim import x", "losses may not import from optim"),
        (arrow_problems, "losses/a.py", "from ..optim.a import x", "losses may not import from optim"),
        (arrow_problems, "losses/a.py", "def f():\n    import mlcourse.optim", "losses may not import from optim"),
        (arrow_problems, "theory/a.py", "from mlcourse import base", "theory may not import from base"),
        (arrow_problems, "optim/a.py", "from mlcourse import Perceptron", "optim may not import from __init__"),
        (arrow_problems, "attic.py", "import mlcourse.base", "attic may not import from base"),
        (library_problems, "losses/a.py", "import matplotlib.pyplot as plt", "matplotlib may not be imported"),
        (library_problems, "base.py", "import sklearn", "sklearn may not be imported"),
        (library_problems, "losses/a.py", "def __sklearn_tags__():\n    import sklearn", "sklearn may not be"),
        (library_problems, "losses/a.py", "import pandas", "pandas may not be imported"),
        (print_problems, "losses/a.py", "print(1)", "it prints"),
        (random_problems, "losses/a.py", "np.random.rand(3)", "it calls np.random.rand"),
        (random_problems, "losses/a.py", "from numpy.random import rand", "it imports numpy.random.rand"),
        (random_problems, "losses/a.py", "import random", "it imports random"),
        (hint_problems, "losses/a.py", "@checks_arguments\ndef f(x, y: int) -> int:\n    pass", "lacks a type hint: x"),
        (hint_problems, "losses/a.py", "@returns_trace\ndef f(x: int):\n    pass", "f lacks a type hint: of its value"),
        (public_hint_problems, "theory/a.py", "def f(x, /, y: int, *, z) -> int:\n    pass", "lacks a type hint: x, z"),
        (public_hint_problems, "theory/a.py", "def f(x: int):\n    pass", "f lacks a type hint: of its value"),
        (
            public_hint_problems,
            "theory/a.py",
            "class A:\n    def f(self, x):\n        pass",
            "A.f lacks a type hint: x, of its value",
        ),
        (docstring_problems, "losses/a.py", "def f():\n    pass", "f has no docstring"),
        (docstring_problems, "losses/a.py", 'class A:\n    """A."""\n    def f(self):\n        pass', "A.f has no"),
        (docstring_problems, "losses/a.py", 'def f():\n    """F.' + "\n    x" * 25 + '"""', "has 26 lines"),
    ],
)
def test_a_planted_fault_is_found(tmp_path, check, path, source, message):
    assert message in "\n".join(check(planted(tmp_path, path, source)))


def test_a_clean_package_passes(tmp_path):
    source = """from mlcourse.base import x
import numpy as np


def f(seed: int) -> np.random.Generator:
    '''The generator.'''
    return np.random.default_rng(seed)
"""
    assert [problem for check in CHECKS for problem in check(planted(tmp_path, "losses/a.py", source))] == []


def test_an_import_of_matplotlib_is_found_by_blocking_it(tmp_path):
    done = imported(planted(tmp_path, "losses/a.py", "import matplotlib"))
    assert done.returncode == 1 and "matplotlib is blocked" in done.stderr
