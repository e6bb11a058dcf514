"""What no tool knows of the package's house; ruff, mypy and import-linter hold the other rules (``make lint``)."""

import ast
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MAX_DOCSTRING, MAX_FILE = 25, 250


def modules(folder):
    """Every (path, tree) of the package in the folder."""
    for file in sorted((folder / "mlcourse").rglob("*.py")):
        yield file.relative_to(folder).as_posix(), ast.parse(file.read_text("utf8"))


def public(tree):
    """The (name, node) of every public function, class and constant that a module defines."""
    for node in tree.body:
        assigned = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        constants = [t.id for target in assigned if target for t in ast.walk(target) if isinstance(t, ast.Name)]
        names = (
            [node.name] if hasattr(node, "name") else [n for n in constants if n.isupper() and len(n) > 1]
        )  # P, R: types
        yield from ((name, node) for name in names if not name.startswith("_"))


def docstrings(folder):
    """Docstrings that are too long, and public methods without one that inherit none."""
    for path, tree in modules(folder):
        for node in [tree, *(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef))]:
            if len((ast.get_docstring(node) or "").splitlines()) > MAX_DOCSTRING:
                yield f"{path}: a docstring longer than {MAX_DOCSTRING} lines, in line {getattr(node, 'lineno', 1)}"
        alone = [node for _, node in public(tree) if isinstance(node, ast.ClassDef) and not node.bases]
        for method in (part for node in alone for part in node.body if isinstance(part, ast.FunctionDef)):
            if not method.name.startswith("_") and not ast.get_docstring(method):
                yield f"{path}:{method.lineno}: {method.name} has no docstring"


def long_files(folder):
    """Files that have more than one thing to say."""
    for path, _ in modules(folder):
        if (length := len((folder / path).read_text("utf8").splitlines())) > MAX_FILE:
            yield f"{path} has {length} lines, more than {MAX_FILE}"


def double_names(folder):
    """Public names with two meanings."""
    homes = defaultdict(list)
    for path, tree in modules(folder):
        for name in {name for name, _ in public(tree)}:
            homes[name].append(path)
    return [f"{name} is defined in {' and '.join(paths)}" for name, paths in homes.items() if len(paths) > 1]


@pytest.mark.parametrize("rule", [docstrings, long_files, double_names], ids=lambda rule: rule.__name__)
def test_the_package_keeps_the_rule(rule):
    assert not [*rule(ROOT)]


@pytest.mark.parametrize(
    ("rule", "source"),
    [
        (docstrings, 'def f():\n    """F.' + "\n    x" * 25 + '"""'),
        (docstrings, 'class A:\n    """A."""\n    def f(self):\n        pass'),
        (long_files, "\n" * 251),
        (double_names, "def g(): pass"),
        (double_names, "A, LIMIT = 1, 2"),
    ],
)
def test_a_planted_fault_is_found(tmp_path, rule, source):
    (tmp_path / "mlcourse").mkdir()
    (tmp_path / "mlcourse" / "a.py").write_text(source, "utf8")
    (tmp_path / "mlcourse" / "b.py").write_text("def g(): pass\nLIMIT: int = 1", "utf8")
    assert [*rule(tmp_path)]


def test_the_package_needs_numpy_and_scipy_only():
    done = subprocess.run([sys.executable, "-c", ALONE], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


ALONE = """
import importlib, pkgutil, sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"sklearn", "matplotlib", "tqdm", "pandas"}:
            raise ImportError(f"{name} is blocked")

sys.meta_path.insert(0, Blocker())
import mlcourse
for module in pkgutil.walk_packages(mlcourse.__path__, "mlcourse."):
    if not module.name.startswith("mlcourse.plots"):
        importlib.import_module(module.name)
"""
