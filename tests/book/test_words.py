"""One word and one letter for one thing, on every page; the right-hand column of the table is what the book says."""

import re
from pathlib import Path

import pytest
from book_sources import TARGET, Box, Line, read_pages

ROOT = Path(__file__).parents[2]
WORDS = {  # what no page says, as a pattern: what it says instead
    r"\b(?:minimi|maximi|optimi|generali|regulari|normali|standardi|initiali|randomi|recogni|memori|summari)z": "-is-",
    r"\bneighbor": "neighbour",
    r"\b(?:colou?r(?<!colour)|behavior|center(?:ed)?|labell?ed(?<!labelled)|modeling|analyz)": "British spelling",
    r"\b(?:0[-/]1|01|zero/one) loss": "zero-one loss",
    r"\bhyper ?parameter": "hyper-parameter",
    r"\b(?:halfspace|half space)": "half-space",
    r"\bsemi-definite": "semidefinite",
    r"\bdatasets?\b": "data set",
    r"\bcross validation": "cross-validation",
    r"\bk-?NN\b": "nearest neighbours",
    r"\b(?-i:ReLU|RELU)\b": "relu",
    r"\bback-prop|\bbackprop\b": "backpropagation",
    r"\bover-?fitt?ed to\b": "fitted too closely",
    r"\blinear program\b": "linear programme",
}
LETTERS = {  # formulas that the notation rules out
    r"\\eta_t": r"\tau_t: \eta is the posterior",
    r"\\text\{sign\}|\\operatorname\{sign\}": r"\operatorname{sgn}",
    r"\\mathbb\{P\}_\{?S": "say in words what is random",
    r"\\mathcal\{R\}": r"\mathfrak R for Rademacher, \ell for risks",
}
VERBATIM = re.compile(r"(`+).+?\1(?!`)")
FORMULA = re.compile(r"\$[^$]+\$")
TITLED = ("prf:", "exercise", "dropdown")  # boxes whose argument is read
QUOTING = {"book/errata", "book/source-map", "book/notation", "book/bibliography"}  # they quote other people's words


def found_in(text, patterns, place):
    """The patterns that a line of text matches."""
    return [
        f"{place}: {match[0]!r}, the book says {instead}"
        for pattern, instead in patterns.items()
        if (match := re.search(pattern, text, re.IGNORECASE if patterns is WORDS else 0))
    ]


def prose(line):
    """A line without code, roles and formulas."""
    return FORMULA.sub("x", VERBATIM.sub("", line))


def problems(page):
    """Words and letters that the book does not use."""
    texts = [(line.text, line.place) for line in page.of(Line) if not TARGET.match(line.text)]
    texts += [(box.argument, box.place) for box in page.of(Box) if box.name.startswith(TITLED)]
    if page.docname in QUOTING:
        return []
    found = [p for text, place in texts for p in found_in(" ".join(FORMULA.findall(text)), LETTERS, place)]
    return found + [p for text, place in texts if "{cite" not in text for p in found_in(prose(text), WORDS, place)]


@pytest.mark.parametrize("page", read_pages(ROOT), ids=lambda page: page.docname.removeprefix("book/"))
def test_one_word_for_one_thing(page):
    found = problems(page)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("text", ["We minimize it.", "the 0-1 loss", "step $\\eta_t$", "a dataset", "the color"])
def test_other_words_are_reported(project, text):
    (page,) = read_pages(project({"book/one.md": f"# One\n\n{text}\n"}))
    assert problems(page)
