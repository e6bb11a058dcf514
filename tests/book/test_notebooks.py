"""The chapters are run, canonical and readable, which nbval cannot see; planted ones break each rule."""

import ast
import re
from pathlib import Path

import nbformat
import pytest
import run_notebooks
import yaml
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from run_notebooks import canonical, check, main, notebooks, run, serialised

MAX_LINES, MAX_HIDDEN_LINES = 15, 25
MAX_WIDTH = 95  # what a page shows without scrolling
ROOT = Path(__file__).parents[2]
CHAPTERS = notebooks(root=ROOT)


def name(path):
    """A notebook's path inside the book, without its ending."""
    return path.relative_to(ROOT / "book").with_suffix("").as_posix()


def cell_problems(nb):
    """What is wrong with the cells of a notebook, as "cell 3: why"."""
    found = []
    for number, cell in enumerate(nb.cells, 1):
        problems = code_problems(cell) if cell.cell_type == "code" else []
        if "attachments" in cell:
            problems.append("an image is stored in the cell")
        found += [f"cell {number}: {problem}" for problem in problems]
    return found


def code_problems(cell):
    """What is wrong with a code cell: long, silenced, allowed to fail, or a figure without words."""
    problems, lines, tags = [], cell.source.splitlines(), cell.metadata.get("tags", [])
    figures = [o for o in cell.outputs if "<Figure" in o.get("data", {}).get("text/plain", "")]
    limit = MAX_HIDDEN_LINES if "hide-input" in tags else MAX_LINES
    if len(lines) > limit:
        problems.append(f"{len(lines)} lines, at most {limit} are allowed")
    if "hide-input" not in tags and (longest := max(map(len, lines), default=0)) > MAX_WIDTH:
        problems.append(f"a line of {longest} characters, at most {MAX_WIDTH} fit on a page")
    if cell.source.rstrip().endswith(";"):
        problems.append("ends with ';', which hides a result: end with plt.show() or an assignment")
    if {"raises-exception", "skip-execution"} & {*tags} or cell.metadata.get("mystnb", {}).get("allow_errors"):
        problems.append("may fail or is skipped")
    if figures and len(str(cell.metadata.get("mystnb", {}).get("image", {}).get("alt", "")).split()) < 3:
        problems.append("a figure without alt text (metadata mystnb.image.alt)")
    if any(kind.startswith("image/") for o in cell.outputs for kind in o.get("data", {})):
        problems.append("an image is stored in the output")
    problems += [f"defines {name} in more than {MAX_LINES} lines" for name in long_definitions(lines)]
    return problems


def long_definitions(lines):
    """The names of the functions and classes that take more lines than a cell should."""
    tree = ast.parse("\n".join("pass" if line.startswith(("%", "!")) else line for line in lines))
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    return [n.name for n in ast.walk(tree) if isinstance(n, kinds) and n.end_lineno - n.lineno >= MAX_LINES]


def notebook_problems(nb):
    """What is wrong with the settings of a notebook."""
    settings = [str(value) for value in (nb.metadata, *(cell.metadata for cell in nb.cells))]
    return ["a setting lets cells fail"] if any("allow_errors" in text for text in settings) else []


@pytest.mark.parametrize("path", CHAPTERS, ids=name)
def test_chapter_is_run_and_canonical(path):
    found = check(path)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("path", CHAPTERS, ids=name)
def test_chapter_is_readable(path):
    nb = nbformat.read(path, as_version=4)
    nbformat.validate(nb)
    found = cell_problems(nb) + notebook_problems(nb)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("path", CHAPTERS, ids=name)
def test_formulas_use_no_macro_that_jupyter_does_not_know(path):
    settings = yaml.safe_load((ROOT / "_config.yml").read_text("utf8"))
    macros = settings["sphinx"]["config"]["katex_macros"]
    pattern = re.compile("|".join(rf"{re.escape(macro)}(?![a-zA-Z])" for macro in macros))
    for number, cell in enumerate(nbformat.read(path, as_version=4).cells, 1):
        found = pattern.search(cell.source) if cell.cell_type == "markdown" else None
        assert not found, f"cell {number} uses {found[0]}: write it out"


# ------------------------------------------------------------------------------- the rules can fail


def figure(alt="A line that rises from one to two.", source="plt.plot([1, 2])\nplt.show()", count=1):
    """A run cell with a figure as `run_notebooks` leaves it."""
    output = new_output("display_data", {"text/plain": "<Figure size 640x480 with 1 Axes>"})
    metadata = {"mystnb": {"image": {"alt": alt}}} if alt else {}
    return new_code_cell(source, outputs=[output], metadata=metadata, execution_count=count)


def written(tmp_path, nb, form=canonical):
    """The path of a notebook written to disk in the given form."""
    path = tmp_path / "chapter.ipynb"
    path.write_text(serialised(form(nb)), "utf8")
    return path


def run_notebook(*outputs, source="print(1)", count=1, **more):
    """A notebook of one text and one code cell."""
    cell = new_code_cell(source, outputs=list(outputs), execution_count=count, **more)
    return new_notebook(cells=[new_markdown_cell("# Title"), cell])


def test_a_good_notebook_passes(tmp_path):
    nb = run_notebook(new_output("stream", text="1\n"))
    nb.cells.append(figure(count=2))
    assert check(written(tmp_path, nb)) == []
    assert cell_problems(nb) + notebook_problems(nb) == []


@pytest.mark.parametrize(
    ("nb", "message"),
    [
        (run_notebook(count=None), "never run"),
        (run_notebook(count=2), "not run from top to bottom: the counts are [2]"),
        (run_notebook(source=" ", count=None), "empty code cell"),
        (run_notebook(new_output("error", ename="ValueError", evalue="no")), "cell 2 failed with ValueError: no"),
        (run_notebook(new_output("stream", name="stderr", text="Warning\n")), "cell 2 writes to stderr: Warning"),
        (run_notebook(new_output("stream", text="<f at 0x7f1ca0355260>\n")), "an object's address"),
        (run_notebook(new_output("stream", text="in /home/ada/x.py\n")), "an absolute path"),
        (run_notebook(new_output("display_data", {"text/html": "<b>1</b>"})), "without text/plain"),
    ],
)
def test_a_bad_run_is_refused(tmp_path, nb, message):
    assert message in "\n".join(check(written(tmp_path, nb)))


@pytest.mark.parametrize(
    "change",
    [
        lambda nb: nb.cells[1].update(id="other"),
        lambda nb: nb.cells[1].update(source="print(2)"),
        lambda nb: nb.cells[1].metadata.update(execution={"iopub.execute_input": "now"}),
        lambda nb: nb.cells[1].metadata.update(tags=["b", "a"]),
        lambda nb: nb.cells[1].outputs[0].data.update({"image/png": "aGVsbG8="}),
        lambda nb: nb.metadata.language_info.update(version="3.11"),
        lambda nb: nb.cells[1].outputs.extend([new_output("stream", text="1"), new_output("stream", text="2")]),
    ],
    ids=["id", "edited", "timing", "tags", "image", "metadata", "streams"],
)
def test_anything_but_the_canonical_form_is_refused(tmp_path, change):
    nb = canonical(new_notebook(cells=[new_markdown_cell("# Title"), figure()]))
    assert check(written(tmp_path, nb, form=lambda nb: nb)) == []
    change(nb)
    assert "canonical form" in "\n".join(check(written(tmp_path, nb, form=lambda nb: nb)))


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        (figure(alt=""), "without alt text"),
        (figure(alt="plot"), "without alt text"),
        (figure(source="plt.plot([1, 2]);"), "ends with ';'"),
        (new_code_cell("x = 1\n" * 16), "16 lines, at most 15"),
        (new_code_cell("x = 1\n" * 26, metadata={"tags": ["hide-input"]}), "26 lines, at most 25"),
        (new_code_cell(f"x = '{'a' * 100}'"), "at most 95 fit"),
        (new_code_cell("1 / 0", metadata={"tags": ["raises-exception"]}), "may fail"),
        (new_code_cell("def f():\n" + "    x = 1\n" * 15), "defines f in more than"),
        (new_code_cell("1", outputs=[new_output("display_data", {"image/png": "aGVsbG8="})]), "image is stored"),
        (new_markdown_cell("![a](attachment:a.png)", attachments={"a.png": {}}), "image is stored"),
    ],
)
def test_a_bad_cell_is_refused(cell, message):
    assert message in "\n".join(cell_problems(new_notebook(cells=[cell])))


def test_a_hidden_figure_cell_may_be_longer():
    cell = figure(source="x = 1\n" * 20)
    cell.metadata["tags"] = ["hide-input"]
    assert cell_problems(new_notebook(cells=[cell])) == []


def test_allowing_errors_is_refused():
    assert notebook_problems(new_notebook(metadata={"mystnb": {"execution_allow_errors": True}}))


@pytest.mark.parametrize("page", ["perceptron", "perceptron-solution"])
def test_a_page_of_homework_is_made_from_the_module(tmp_path, page):
    path, book = tmp_path / "homework" / f"{page}.ipynb", ROOT / "book" / "homework" / f"{page}.ipynb"
    path.parent.mkdir()
    assert run(path) == [] and check(path) == [] and path.read_bytes() == book.read_bytes()
    nb = nbformat.read(path, as_version=4)
    nb.cells[2].source += " Clearly."
    path.write_text(serialised(canonical(nb)), "utf8")
    assert check(path) == ["it is not the page that the module of the homework makes"]


@pytest.mark.parametrize(
    "page, answer, words",
    [
        ("perceptron", "lambda t, R: t * R**2", "cell 1 should say 'not attempted yet', not 'right: no run exceeded"),
        ("perceptron-solution", "lambda t, R: t", "cell 1 should say 'right', not 'not yet: "),
    ],
)
def test_an_answer_left_in_a_page_and_a_wrong_solution_are_refused(tmp_path, monkeypatch, page, answer, words):
    source = f"from mlcourse_homework import perceptron as hw\nhw.q2.check({answer})"
    monkeypatch.setattr(run_notebooks, "made", lambda path: [new_code_cell(source)])
    path = tmp_path / "homework" / f"{page}.ipynb"
    path.parent.mkdir()
    assert words in "\n".join(run(path)) and not path.exists()


def test_equal_cells_get_different_names():
    ids = [cell.id for cell in canonical(new_notebook(cells=[new_code_cell("x = 1") for _ in range(3)])).cells]
    assert len({*ids}) == 3 and ids == [ids[0], f"{ids[0]}-2", f"{ids[0]}-3"]


def test_running_makes_canonical_and_is_repeatable(tmp_path):
    source = "import os\nprint(1)\nprint(len(os.listdir('.')))"
    cells = [new_markdown_cell("# A\n"), new_code_cell(source, metadata={"collapsed": True}), new_code_cell("")]
    path = written(tmp_path, new_notebook(cells=cells), form=lambda nb: nb)
    assert run(path) == [] and check(path) == []
    nb, first = nbformat.read(path, as_version=4), path.read_bytes()
    assert [cell.cell_type for cell in nb.cells] == ["markdown", "code"]
    assert [output.text for output in nb.cells[1].outputs] == ["1\n1\n"]  # it runs in its own folder
    assert run(path) == [] and path.read_bytes() == first


def test_a_failing_notebook_is_left_alone(tmp_path, capfd):
    path = written(tmp_path, run_notebook(source="1 / 0", count=None), form=lambda nb: nb)
    before = path.read_bytes()
    assert main([str(path)]) == 1
    said = capfd.readouterr().out
    assert "cell 2 failed" in said and "ZeroDivisionError" in said
    assert path.read_bytes() == before
    assert main(["--check", str(path)]) == 1
