"""The command line: a student's file is run within limits, and every question gets its verdict."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest

from mlcourse_homework import perceptron
from mlcourse_homework.__main__ import main
from mlcourse_homework.engine import grader, pages
from mlcourse_homework.engine.feedback import NOT_ATTEMPTED, NOT_YET, RIGHT

ROOT = Path(__file__).parents[2]
BOOK = ROOT / "book" / "homework"
IMPORT = "from mlcourse_homework import perceptron as hw\n"
UPDATE = "def update(w, x, y, tau):\n    return w + tau * y * x if y * (w @ x) <= 0 else w\nhw.q1.check(update)\n"


def written(folder, *cells, name="my.ipynb"):
    """A notebook, or a Python file, with these cells."""
    path = folder / name
    if path.suffix == ".py":
        path.write_text("\n".join(cells))
    else:
        nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells]), path)
    return path


def states(report):
    return {name: verdict["status"] for name, verdict in report["questions"].items()}


def test_the_stubs_and_the_solutions_of_a_homework():
    stubs = grader.grade(BOOK / "perceptron.ipynb")
    assert states(stubs) == {f"perceptron.q{i}": NOT_ATTEMPTED for i in range(1, 10)}
    assert stubs["errors"] == [] and not grader.all_right(stubs)
    solutions = grader.grade(BOOK / "perceptron-solution.ipynb")
    assert states(solutions) == {f"perceptron.q{i}": RIGHT for i in range(1, 10)} and grader.all_right(solutions)
    assert "perceptron-solution.ipynb: 9 of 9 right" in str(grader.table(solutions))


@pytest.mark.parametrize("name", ["my.ipynb", "my.py"])
def test_questions_without_a_check_count_as_not_attempted(tmp_path, name):
    report = grader.grade(written(tmp_path, IMPORT, UPDATE, "hw.q2.check(lambda t, R: t)", name=name))
    found = states(report)
    assert (found["perceptron.q1"], found["perceptron.q2"], found["perceptron.q3"]) == (RIGHT, NOT_YET, NOT_ATTEMPTED)
    assert report["questions"]["perceptron.q3"]["text"].startswith("it was never checked: hw.q3.check")
    assert not grader.all_right(report)


def test_a_later_answer_counts(tmp_path):
    report = grader.grade(written(tmp_path, IMPORT, "hw.q1.check(lambda *a: 0)", UPDATE))
    assert states(report)["perceptron.q1"] == RIGHT


def test_magics_are_passed_over_and_files_beside_the_notebook_are_found(tmp_path):
    (tmp_path / "beside.py").write_text("value = 3")
    (tmp_path / "numbers.txt").write_text("1")
    uses = "import beside\nopen('numbers.txt').read()"
    cells = ["%matplotlib inline\n!ls\n" + IMPORT, "%%bash\nexit 1", uses, UPDATE]
    report = grader.grade(written(tmp_path, *cells))
    assert report["errors"] == [] and states(report)["perceptron.q1"] == RIGHT


def test_code_that_python_understands_is_left_alone(tmp_path):
    cells = [IMPORT, 'text = """\n% a line\n"""\nassert \'% a line\' in text', "%%time\n" + UPDATE]
    cells += ["hw.q2?\nfiles = !ls\nif True:\n    %pwd\nhw.q3.check(lambda t, rho: t * rho)"]
    report = grader.grade(written(tmp_path, *cells))
    assert report["errors"] == [] and states(report)["perceptron.q1"] == states(report)["perceptron.q3"] == RIGHT


def test_a_file_that_leaves_early_is_not_finished(tmp_path):
    report = grader.grade(written(tmp_path, IMPORT, UPDATE, "import os\nos._exit(0)"))
    assert report["errors"] == ["the run ended before the end of the file"] and not grader.all_right(report)


def test_an_error_in_a_cell_is_told_with_its_line_and_the_next_cells_run(tmp_path):
    report = grader.grade(written(tmp_path, IMPORT, "x = 1\ny = x / 0", "def broken(:\n    pass", UPDATE))
    assert report["errors"] == [
        "my.ipynb, cell 2: line 2: ZeroDivisionError: division by zero",
        "my.ipynb, cell 3: line 1: SyntaxError: invalid syntax (my.ipynb, cell 3, line 1)",
    ]
    assert states(report)["perceptron.q1"] == RIGHT and not grader.all_right(report)


def test_an_error_inside_an_answer_shows_the_students_line(tmp_path):
    cell = "def update(w, x, y, tau):\n    return w + nothing\nhw.q1.check(update)"
    report = grader.grade(written(tmp_path, IMPORT, cell))
    assert "NameError" in report["questions"]["perceptron.q1"]["text"]
    assert "(line 2: return w + nothing)" in report["questions"]["perceptron.q1"]["text"]


def test_a_file_that_does_not_end_is_stopped_and_keeps_what_it_had(tmp_path):
    report = grader.grade(written(tmp_path, IMPORT, UPDATE, "while True: pass"), seconds=8)
    assert states(report) == {"perceptron.q1": RIGHT} and report["errors"] == ["the run was stopped after 8 s"]


def test_a_file_that_kills_python_keeps_what_it_had(tmp_path):
    report = grader.grade(written(tmp_path, IMPORT, UPDATE, "import os\nos._exit(3)"))
    assert states(report) == {"perceptron.q1": RIGHT} and "ended with code 3" in report["errors"][0]
    report = grader.grade(written(tmp_path, IMPORT, UPDATE, "raise SystemExit(3)"))
    assert states(report)["perceptron.q1"] == RIGHT and "SystemExit: 3" in report["errors"][0]


def test_memory_is_limited(tmp_path):
    report = grader.grade(written(tmp_path, IMPORT, "import numpy as np\nnp.ones(10**9)", UPDATE), megabytes=2048)
    assert "MemoryError" in report["errors"][0] and states(report)["perceptron.q1"] == RIGHT


def test_the_students_folder_stays_as_it_was(tmp_path):
    path = written(tmp_path, IMPORT, UPDATE, "print('hello')")
    before = path.read_bytes()
    grader.grade(path)
    assert [p.name for p in tmp_path.iterdir()] == ["my.ipynb"] and path.read_bytes() == before


def test_chapter_exercises_are_listed_when_they_are_checked(tmp_path):
    code = "from mlcourse_homework.chapters.perceptron import slow_sample\n"
    code += "slow_sample.check(([[1, 0], [-1, 0.01]], [1, 1]))"
    assert states(grader.grade(written(tmp_path, code))) == {"perceptron.slow_sample": RIGHT}


def test_questions_are_sorted_by_number():
    names = ["a.q10", "a.q2", "a.q1", "b.q1"]
    assert sorted(names, key=grader.natural) == ["a.q1", "a.q2", "a.q10", "b.q1"]


# --- the commands --------------------------------------------------------------------------------


def test_list(capsys):
    assert main(["list"]) == 0
    assert f"The perceptron, {len(perceptron.homework.questions)} questions" in capsys.readouterr().out


def test_start_writes_a_copy_once(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["start", "perceptron"]) == 0
    mine = tmp_path / "my-perceptron.ipynb"
    assert mine.read_text("utf8") == pages.own_copy(perceptron.homework)
    text = nbformat.read(mine, as_version=4).cells[0].source
    assert "goes with the chapter *perceptron*;" in text and "get your own copy" not in text
    assert set(states(grader.grade(mine)).values()) == {NOT_ATTEMPTED}
    mine.write_text("my work")
    assert main(["start", "perceptron"]) == 2 and mine.read_text() == "my work"
    assert main(["start", "astrology"]) == 2
    said = capsys.readouterr()
    assert "left alone" in said.err and "there is no homework 'astrology'; there are: adaboost, " in said.err
    assert "check my-perceptron" in said.out


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder with the two packages as a wheel holds them, and nothing else of the project."""
    source, site = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("site")
    for name in ("mlcourse", "mlcourse_homework"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    if not all(map(importlib.util.find_spec, ("setuptools", "wheel"))):
        return source
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, source)
    code = f"from setuptools import build_meta\nbuild_meta.build_wheel({str(site)!r})"
    subprocess.run([sys.executable, "-c", code], cwd=source, check=True, capture_output=True)
    zipfile.ZipFile(next(site.glob("*.whl"))).extractall(site / "unpacked")
    return site / "unpacked"


def test_the_commands_work_from_an_installed_wheel(tmp_path, installed):
    code = "import sys, mlcourse_homework.__main__ as m\nprint(m.__file__)\nsys.exit(m.main(sys.argv[1:]))"
    settings = os.environ | {"PYTHONPATH": str(installed)}

    def command(*words):
        done = [sys.executable, "-c", code, *words]
        done = subprocess.run(done, cwd=tmp_path, env=settings, capture_output=True, text=True)
        assert done.stdout.startswith(str(installed)), done.stderr
        return done

    assert command("start", "perceptron").returncode == 0
    mine = tmp_path / "my-perceptron.ipynb"
    assert mine.read_text("utf8") == pages.own_copy(perceptron.homework)
    assert "0 of 9 right" in command("check", mine.name).stdout and "The perceptron, 9" in command("list").stdout


@pytest.mark.parametrize("name", grader.homeworks())
def test_every_homework_can_be_started_by_either_name(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    assert main(["start", name]) == 0 and main(["start", name.replace("_", "-")]) == 2
    assert [path.name for path in tmp_path.iterdir()] == [f"my-{name.replace('_', '-')}.ipynb"]


def test_check_prints_a_table_and_an_exit_code(tmp_path, capsys):
    path = written(tmp_path, IMPORT, UPDATE)
    assert main(["check", str(path)]) == 1
    said = capsys.readouterr().out
    assert f"{path}: 1 of 9 right" in said and "perceptron.q1  right" in said
    assert main(["check", str(BOOK / "perceptron-solution.ipynb")]) == 0


def test_a_message_of_several_lines_stays_in_its_column(tmp_path):
    report = grader.grade(written(tmp_path, IMPORT, "hw.q2.check(lambda t, R: 2 * t * R**2)"))
    lines = str(grader.table(report)).splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("perceptron.q2"))
    column = lines[first].index("true, but")
    assert lines[1].index("what the check says") == column
    assert lines[first + 1].startswith(" " * column + "  tried: t = 1, R = 1") and "came out: 2" in lines[first + 2]


def test_check_speaks_json(tmp_path, capsys):
    paths = [written(tmp_path, IMPORT, UPDATE), written(tmp_path, "x = 1", name="other.py")]
    assert main(["check", "--json", *map(str, paths)]) == 2
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert first["file"] == str(paths[0]) and first["questions"]["perceptron.q1"]["status"] == RIGHT
    assert second == {"file": str(paths[1]), "finished": True, "questions": {}, "errors": []}


@pytest.mark.parametrize("content", ["", "{", "[]", '{"cells": 3}'])
def test_what_is_no_notebook_is_refused(tmp_path, capsys, content):
    path = tmp_path / "my.ipynb"
    path.write_text(content)
    assert main(["check", str(path)]) == 2
    assert "no question of a homework was checked" in capsys.readouterr().out
    assert main(["check", str(tmp_path / "missing.ipynb")]) == 2 and main(["check", str(tmp_path)]) == 2
    assert "missing.ipynb does not exist" in (said := capsys.readouterr().err) and "is not a notebook" in said
