"""The pages of the homework get their hints and solutions from the package, and each has a page of solutions.

A folded box named ``hints-<page>-q1`` or ``solution-<page>-q1`` is filled with the hints or the model solution of
question q1 of the homework. The page of solutions, ``<page>-solution.ipynb``, is the same page with answers in place
of stubs. ``run_notebooks.py`` calls both.
"""

import importlib
import re
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell

from mlcourse_homework.engine import pages

BOX = re.compile(
    r"^(?P<head>(?P<fence>`{4,})\{dropdown\} [^\n]*\n:name: (?P<kind>hints|solution)-(?P<page>[a-z-]+)-(?P<name>q\d+)\n"
    r"(?::[\w-]+:[^\n]*\n)*)(?P<body>.*?)^(?P=fence)$",
    re.MULTILINE | re.DOTALL,
)
STUB = re.compile(r"\bhw\.(q\d+)\.check\(")
ENDING = "-solution"


def homework_of(page: str):
    """The module of the homework with this page."""
    return importlib.import_module(f"mlcourse_homework.sets.{page.replace('-', '_')}")


def filled(text: str) -> str:
    """The markdown with hints and solutions in their boxes."""

    def body(match):
        question = getattr(homework_of(match["page"]), match["name"])
        if match["kind"] == "hints":
            return "\n".join(f"{i}. {hint}" for i, hint in enumerate(question.hints, 1))
        return f"{question.reasoning}\n\n```python\n{question.code}\n```"

    return BOX.sub(lambda match: f"{match['head']}\n{body(match)}\n{match['fence']}", text)


def is_solution(path: Path) -> bool:
    """Whether a notebook is a page of solutions."""
    return path.parent.name == "homework" and path.stem.endswith(ENDING)


def made(path: Path) -> list | None:
    """The cells that the module of a homework makes for the page at this path, if it does."""
    if path.parent.name != "homework":
        return None
    homework = homework_of(path.stem.removesuffix(ENDING)).homework
    if not homework.introduction:
        return solved(path) if is_solution(path) else None
    cells = pages.solutions(homework) if is_solution(path) else pages.page(homework)
    return [nbformat.from_dict(cell) for cell in cells]


def solved(path: Path) -> list:
    """The cells that the page of solutions at this path should have."""
    page = path.stem.removesuffix(ENDING)
    module, student = homework_of(page), nbformat.read(path.with_name(f"{page}.ipynb"), as_version=4)
    title = f"(homework-{page}{ENDING})=\n# Solutions: {module.homework.title}"
    opening = (
        f"{title}\n\nOne answer to each question of {{doc}}`{page}`, with the reasons. Other answers are right "
        "too: every check below looks at what an answer does, not at how it is written."
    )
    cells = [new_markdown_cell(opening)]
    for cell in student.cells[1:]:
        name = STUB.search(cell.source)
        if cell.cell_type == "markdown":
            text = re.sub(r"^\((hw-[a-z0-9-]+)\)=$", rf"(\1{ENDING})=", BOX.sub("", cell.source), flags=re.MULTILINE)
            cells.append(new_markdown_cell(text.rstrip()))
        elif name:
            question = getattr(module, name[1])
            cells.append(new_markdown_cell(f"**Answer.** {question.reasoning}"))
            cells.append(new_code_cell(f"{question.code}\n\nhw.{name[1]}.check({question.model.__name__})"))
        elif "hw.progress()" not in cell.source:
            cells.append(new_code_cell(cell.source, metadata=cell.metadata))
    return [cell for cell in cells if cell.source.strip()]
