"""Check a student's file: run it in a process of its own, within limits, and collect the verdict of every question.

The file runs as the student's program, so the report can be trusted as far as the student can: this is for
self-study and for sorting hand-ins, not a sealed examination.
"""

import contextlib
import importlib
import json
import linecache
import os
import pkgutil
import re
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path

from mlcourse_homework import sets
from mlcourse_homework.engine import question as engine
from mlcourse_homework.engine.feedback import NOT_ATTEMPTED, RIGHT, Table

SECONDS, MEGABYTES = 300.0, 4096
MAGIC = re.compile(r"^([ \t]*)(?:[%!?].*|.*\?|\w+ *= *[!%].*)$", re.MULTILINE)
OTHER_LANGUAGE = re.compile(r"\s*%%(?!time|capture|prun)")


def homeworks():
    """The names of all homeworks, in alphabetical order."""
    names = [info.name for info in pkgutil.iter_modules(sets.__path__)]
    return [name for name in names if hasattr(importlib.import_module(f"mlcourse_homework.sets.{name}"), "homework")]


def grade(path, seconds=SECONDS, megabytes=MEGABYTES):
    """The report on a file: its homeworks with a verdict for every question, and what went wrong when it ran."""
    given, path = str(path), Path(path).absolute()
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "report.json"
        command = [sys.executable, "-m", "mlcourse_homework.engine.grader", str(path), str(out), str(megabytes)]
        settings = os.environ | {"MLCOURSE_PROGRESS": "off", "MPLBACKEND": "Agg", "OMP_NUM_THREADS": "1"}
        trouble = None
        try:
            streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
            streams |= {"text": True, "errors": "replace"}
            done = subprocess.run(command, cwd=path.parent, env=settings, timeout=seconds, **streams)
            if done.returncode:
                last = (done.stderr.strip().splitlines() or ["no message"])[-1]
                trouble = f"the run ended with code {done.returncode}: {last}"
        except subprocess.TimeoutExpired:
            trouble = f"the run was stopped after {seconds:g} s"
        unfinished = {"finished": False, "questions": {}, "errors": []}
        report = json.loads(out.read_text("utf8")) if out.exists() else unfinished
        if not report["finished"] and not trouble:
            trouble = "the run ended before the end of the file"
    return {"file": given, **report, "errors": report["errors"] + [trouble] * bool(trouble)}


def all_right(report):
    """Whether every question of the homeworks in a file was answered, and rightly."""
    verdicts = report["questions"].values()
    return bool(verdicts) and all(verdict["status"] == RIGHT for verdict in verdicts) and not report["errors"]


def table(report):
    """A report as a table."""
    rows = tuple((name, verdict["status"], verdict["text"]) for name, verdict in report["questions"].items())
    right = sum(row[1] == RIGHT for row in rows)
    caption = f"{report['file']}: {right} of {len(rows)} right"
    return Table(caption, ("question", "state", "what the check says"), rows, tuple(report["errors"]))


# --- in the process of its own -------------------------------------------------------------------


def run(path, out, megabytes=MEGABYTES):
    """Run the cells of a file; after every check, write what is known so far."""
    limit_memory(megabytes)
    report = {"finished": False, "questions": {}, "errors": []}

    def note(question, verdict):
        report["questions"][question.label] = {"status": verdict.status, "text": str(verdict).partition(": ")[2]}
        write()

    def write():
        out.with_suffix(".new").write_text(json.dumps(report), "utf8")
        os.replace(out.with_suffix(".new"), out)

    engine.listeners.append(note)
    namespace = {"__name__": "__main__", "__file__": str(path)}
    sys.path.insert(0, str(path.parent))
    for name, code in cells(path):
        linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
        try:
            exec(compile(without_magics(code), name, "exec"), namespace)
        except (Exception, SystemExit) as error:
            report["errors"].append(f"{name}: {where(error, name)}{type(error).__name__}: {error}")
    for module in [m for name, m in sys.modules.items() if name.startswith("mlcourse_homework.")]:
        for question in getattr(getattr(module, "homework", None), "questions", {}).values():
            call = f"hw.{question.name}.check(...)"
            untouched = {"status": NOT_ATTEMPTED, "text": f"it was never checked: {call} is not in the file."}
            report["questions"].setdefault(question.label, untouched)
    report["finished"] = True
    report["questions"] = dict(sorted(report["questions"].items(), key=lambda item: natural(item[0])))
    write()


def cells(path):
    """The (name, code) of a notebook's code cells without magics, or of a Python file as a whole."""
    if path.suffix != ".ipynb":
        return [(path.name, path.read_text("utf8"))]
    found = []
    for number, cell in enumerate(json.loads(path.read_text("utf8"))["cells"], 1):
        code = "".join(cell["source"])
        if cell["cell_type"] == "code" and not OTHER_LANGUAGE.match(code):
            found.append((f"{path.name}, cell {number}", code + "\n"))
    return found


def without_magics(code):
    """The code without the lines that only IPython understands; code that Python understands is left as it is."""
    with contextlib.suppress(SyntaxError):
        compile(code, "", "exec")
        return code
    return MAGIC.sub(r"\1pass", code)


def where(error, name):
    """The line of a cell in which an error arose."""
    lines = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == name]
    number = lines[-1].lineno if lines else getattr(error, "lineno", None)
    return f"line {number}: " if number else ""


def natural(label):
    """The key that sorts q2 before q10."""
    return [int(part) if part.isdigit() else part for part in label.replace(".q", ".\0").split("\0")]


def limit_memory(megabytes):
    """Refuse more memory than that to this process, where the platform can."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))


if __name__ == "__main__":
    run(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
