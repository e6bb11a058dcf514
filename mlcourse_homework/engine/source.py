"""The text of a homework: a Markdown file beside the module that checks the answers.

    # the perceptron               the introduction, then the imports in a ``python`` block
    ## Question 1. One step        the statement
    ### Hints                      a numbered list
    ### Solution                   the reasoning, then the code in a ``python`` block; or ``### Model proof``
    ### Start                      what the student's cell holds, in a ``python`` block; then the page goes on
    ## What you have done          any other heading belongs to the page

A block ``{code-cell}`` is a cell of the page; its first line may be ``:metadata: {...}``, in JSON.
"""

import json
import re
from pathlib import Path
from typing import NamedTuple

BLOCK = re.compile(r"^```(\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
QUESTION = re.compile(r"Question (\d+)\. (.*)")
METADATA = re.compile(r":metadata: (.*)\n")


class QuestionText(NamedTuple):
    """What there is to read about a question."""

    title: str
    statement: str
    hints: list[str]
    proof: bool  # whether the solution is the proof of a statement
    reasoning: str
    code: str
    start: str


class Source(NamedTuple):
    """The text of a homework; its parts are names of questions and other pieces of the page, in order."""

    heading: str
    introduction: str
    imports: str
    questions: dict[str, QuestionText]
    parts: list[str]


def read(path: Path) -> Source:
    """The homework that a file tells."""
    (_, _), (heading, opening) = sections(path.read_text("utf8"), "# ")
    (_, introduction), *chapters = sections(opening, "## ")
    introduction, imports, _ = around_block(introduction)
    questions, parts = {}, []
    for title, body in chapters:
        if not (number := QUESTION.match(title)):
            parts.append(f"## {title}\n\n{body}")
            continue
        (_, statement), (_, hints), (kind, solution), (_, start) = sections(body, "### ")
        reasoning, code, _ = around_block(solution)
        _, stub, rest = around_block(start)
        hints = [hint.strip() for hint in re.split(r"^\d+\. ", hints, flags=re.MULTILINE)[1:]]
        told = QuestionText(number[2], statement, hints, kind == "Model proof", reasoning, code, stub)
        questions[f"q{number[1]}"] = told
        parts += [f"q{number[1]}", rest]
    return Source(heading, introduction, imports, questions, [part for part in parts if part])


def sections(text: str, mark: str) -> list[tuple[str, str]]:
    """The pieces (title, body) of a text at its headings of one level, first what stands before them."""
    found, in_block = [["", []]], False
    for line in text.splitlines():
        in_block ^= line.startswith("```")
        if line.startswith(mark) and not in_block:
            found.append([line.removeprefix(mark), []])
        else:
            found[-1][1].append(line)
    return [(title, "\n".join(lines).strip()) for title, lines in found]


def around_block(text: str) -> tuple[str, str, str]:
    """What stands before the first ``python`` block, in it and after it."""
    block = next(block for block in BLOCK.finditer(text) if block[1] == "python")
    return text[: block.start()].strip(), block[2].strip("\n"), text[block.end() :].strip()


def cells(text: str) -> list[tuple[str, dict | None]]:
    """The cells of a piece of a page: words with None, code with its metadata."""
    found, at = [], 0
    for block in BLOCK.finditer(text):
        if block[1] == "{code-cell}":
            told = METADATA.match(block[2])
            code = block[2][told.end() :] if told else block[2]
            found += [(text[at : block.start()], None), (code.strip("\n"), json.loads(told[1]) if told else {})]
            at = block.end()
    return [(part, kind) for part, kind in [*found, (text[at:], None)] if part.strip()]
