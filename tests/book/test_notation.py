"""The notation page is the law: its Greek letters are spelled as in the code, and the code has no letter of its own."""

import inspect
import pkgutil
import re
from importlib import import_module
from pathlib import Path

import pytest

import mlcourse

PAGE = Path(__file__).parents[2] / "book" / "notation.md"
GREEK = {"alpha", "delta", "epsilon", "eta", "gamma", "lam", "mu", "rho", "sigma", "tau", "theta"}
TEX = {"lam": "lambda", "epsilon": "(?:var)?epsilon"}


def rows():
    """The rows of the table of letters: object, text, code, remark."""
    lines = PAGE.read_text("utf8").split("## The letters")[1].split("\n\n")[1].splitlines()
    assert lines[0] == "| object | text | code | remark |"
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines[2:]]


def code_names():
    return {name for row in rows() for name in re.findall(r"`([^`]+)`", " ".join(row[2:]))}


def public_functions():
    """Every public function and method of the package with its module."""
    for info in pkgutil.walk_packages(mlcourse.__path__, "mlcourse."):
        if info.name.split(".")[1] in ("arguments", "plots", "testing") or "._" in info.name:
            continue
        module = import_module(info.name)
        for name, thing in vars(module).items():
            if name.startswith("_") or getattr(thing, "__module__", "") != info.name:
                continue
            members = [m for n, m in vars(thing).items() if not n.startswith("_")] if inspect.isclass(thing) else []
            yield from ((module, f"{info.name}.{name}", m) for m in (thing, *members) if callable(m))


def test_the_table_is_complete():
    assert len(rows()) > 20 and all(len(row) == 4 for row in rows())


@pytest.mark.parametrize("name", sorted(GREEK))
def test_greek_code_names_stand_beside_their_symbol(name):
    beside = [text + remark for _, text, code, remark in rows() if f"`{name}`" in code + remark]
    assert beside, f"{name} is not in the table"
    assert any(re.search(rf"\\{TEX.get(name, name)}(?![a-z])", text) for text in beside)


def test_every_letter_in_a_public_signature_is_in_the_table_or_in_the_glossary_of_its_module():
    known, missing = code_names(), []
    for module, where, function in public_functions():
        for parameter in inspect.signature(function).parameters:
            letter = len(parameter) == 1 or parameter in GREEK
            if letter and parameter not in known and not re.search(rf"\b{parameter}\b", module.__doc__ or ""):
                missing.append(f"{where}({parameter})")
    assert not missing, missing


def test_no_parameter_has_a_name_that_the_table_replaces():
    used = {parameter for _, _, f in public_functions() for parameter in inspect.signature(f).parameters}
    assert not used & {"learning_rate", "lr", "step_size", "reg", "lambda_", "n_samples"}
