"""What is made of the text of a homework: the book's page, the page of solutions, and the student's copy."""

import ast
import json
import re

from mlcourse_homework.engine import source

HOW = (
    "**How it works.** Write your answer in place of `...` and run the cell. The check tries your answer on many "
    "inputs. If something is wrong it says on which input, what came out and what should hold. Stuck? `hw.q1.hint()` "
    "gives a hint, and one more each time; `hw.q1.solution()` shows an answer. `hw.progress()` shows what you have "
    "done; it is kept in {}the file `mlcourse-progress.json` beside the notebook."
)
IN_THE_BOOK = HOW.format("your browser or, in Jupyter, in ") + " {doc}`index` says how to get your own copy."
OPENING = (
    "One answer to each question of {{doc}}`{}`, with the reasons. Other answers are right too: every check below "
    "looks at what an answer does, not at how it is written."
)
ROLE = re.compile(r"\{([\w:]+)\}`([^`<]*?)\s*(?:<([^`]*)>)?`")  # a reference of the book
LABEL = re.compile(r"^\([\w-]+\)=\n", re.MULTILINE)
STATEMENTS = {"thm": "theorem", "prop": "proposition", "lem": "lemma", "cor": "corollary", "def": "definition"}
STATEMENTS |= {"alg": "algorithm", "ex": "exercise"}
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def text(source):
    """A cell of markdown."""
    return {"cell_type": "markdown", "metadata": {}, "source": source.strip()}


def code(source, **metadata):
    """A cell of code, not yet run."""
    cell = {"cell_type": "code", "metadata": metadata, "source": source.strip("\n")}
    return cell | {"execution_count": None, "outputs": []}


def page(homework):
    """The cells of the book's page: each question with its hints and its solution folded, and a stub."""
    heading = f"(homework-{homework.page})=\n# Homework: {homework.source.heading}"

    def cells(question):
        label, told = f"{homework.page}-{question.name}", question.text
        hints = "\n".join(f"{i}. {hint}" for i, hint in enumerate(told.hints, 1))
        solution = f"{told.reasoning}\n\n```python\n{told.code}\n```"
        boxes = folded("Hints", f"hints-{label}", hints) + "\n\n"
        boxes += folded("Model proof" if told.proof else "Solution", f"solution-{label}", solution)
        return [*pieces(f"(hw-{label})=\n{headed(question)}\n\n{boxes}"), code(question.stub)]

    return laid_out(homework, f"{heading}\n\n{homework.source.introduction}\n\n{IN_THE_BOOK}", cells)


def solutions(homework):
    """The cells of the page of solutions: each question with its answer and the reasons."""
    opening = f"(homework-{homework.page}-solution)=\n# Solutions: {homework.title}\n\n{OPENING.format(homework.page)}"

    def cells(question):
        statement = f"(hw-{homework.page}-{question.name}-solution)=\n{headed(question)}"
        answer = f"{question.text.code}\n\nhw.{question.name}.check({question.model.__name__})"
        return [*pieces(statement), text(f"**Answer.** {question.text.reasoning}"), code(answer)]

    return [cell for cell in laid_out(homework, opening, cells) if "hw.progress()" not in cell["source"]]


def own_copy(homework):
    """The notebook of a student, as text: statements and stubs, which stand outside the book and give nothing away."""

    def cells(question):
        return [*pieces(headed(question)), code(question.stub)]

    opening = f"# Homework: {homework.source.heading}\n\n{homework.source.introduction}\n\n{HOW.format('')}"
    notebook = {"cells": laid_out(homework, opening, cells), "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5}
    for number, cell in enumerate(notebook["cells"], 1):
        words = in_words(cell["source"]) if cell["cell_type"] == "markdown" else cell["source"]
        cell |= {"id": f"{homework.page}-{number}", "source": words.splitlines(keepends=True)}
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def laid_out(homework, opening, cells):
    """The opening, the imports, then questions and what stands between them, in order."""
    found = [text(opening), code(homework.source.imports)]
    for part in homework.source.parts:
        found += cells(homework.questions[part]) if part in homework.questions else pieces(part)
    return found


def pieces(words):
    """The cells of a piece of a page."""
    return [text(part) if kind is None else code(part, **kind) for part, kind in source.cells(words)]


def headed(question):
    """The statement below its heading."""
    return f"## Question {question.name[1:]}. {question.title}\n\n{question.text.statement}"


def stub(name, start):
    """What the student starts from, and the check; the names that it defines make up the answer."""
    names = []
    for part in ast.parse(start).body:
        names += map(ast.unparse, part.targets) if isinstance(part, ast.Assign) else [part.name]
    answer = names[0] if len(names) == 1 else f"({', '.join(names)})"
    return f"{start}\n\nhw.{name}.check({answer})"


def folded(title, name, body):
    """A folded box."""
    return f"`````{{dropdown}} {title}\n:name: {name}\n\n{body}\n`````"


def in_words(text):
    """A text of the book as it stands outside: no labels, and references become words."""
    return ROLE.sub(_words, LABEL.sub("", text))


def _words(role):
    """What a reference is about; a capital letter at the beginning of a sentence."""
    kind, words, target = role.groups()
    before = role.string[: role.start()]
    if target:
        return f"erratum {words}" if target.startswith("erratum-") and "erratum" not in before[-20:] else words
    if kind.startswith("cite"):
        return re.sub(r"(\D+)(\d+)", lambda key: f"{key[1].capitalize()} ({key[2]})", words)
    first, _, rest = words.rpartition("/")[2].partition("-")
    the = "The" if re.search(r"(?:^|\n\n|[.!?]\)?\s+)$", before) else "the"
    if kind == "prf:ref" and first in STATEMENTS:
        return f"{the} {STATEMENTS[first]} *{rest.replace('-', ' ')}*"
    what = ("chapter" if words.startswith("../") else "homework") if kind == "doc" else "section"
    return f"{the} {what} *{' '.join([first, *rest.split('-')]).strip()}*"
