"""The homework from the command line.

python -m mlcourse_homework list                    all homeworks
python -m mlcourse_homework start perceptron        write your copy of a homework into this folder
python -m mlcourse_homework check my.ipynb          check all questions of a notebook or a Python file
"""

import argparse
import importlib
import json
import sys
from pathlib import Path

from mlcourse_homework.engine import grader, pages


def main(arguments=None):
    """Carry out a command; 0 if all is right, 1 if a question is not, 2 if the command could not be carried out."""
    parser = argparse.ArgumentParser("python -m mlcourse_homework", description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="all homeworks")
    start = commands.add_parser("start", help="write your copy of a homework into this folder")
    start.add_argument("name")
    check = commands.add_parser("check", help="check all questions of your notebook or Python file")
    check.add_argument("files", nargs="+", type=Path)
    check.add_argument("--json", action="store_true", help="print one JSON object for each file")
    check.add_argument("--seconds", type=float, default=grader.SECONDS, help="time for one file (default %(default)g)")
    check.add_argument("--megabytes", type=int, default=grader.MEGABYTES, help="memory (default %(default)s)")
    options = parser.parse_args(arguments)
    if options.command == "list":
        return listed()
    return copied(options.name) if options.command == "start" else checked(options)


def listed():
    """Print the homeworks."""
    for name in grader.homeworks():
        homework = importlib.import_module(f"mlcourse_homework.sets.{name}").homework
        print(f"{name.replace('_', '-'):24}{homework.title}, {len(homework.questions)} questions")
    return 0


def copied(name):
    """Write the student's copy of a homework into this folder; a file that is there is left alone."""
    page, names = name.replace("_", "-"), grader.homeworks()
    goal = Path(f"my-{page}.ipynb")
    if page.replace("-", "_") not in names:
        return refused(f"there is no homework {name!r}; there are: {', '.join(names)}")
    if goal.exists():
        return refused(f"{goal} is there already and was left alone")
    homework = importlib.import_module(f"mlcourse_homework.sets.{page.replace('-', '_')}").homework
    try:
        goal.write_text(pages.own_copy(homework), "utf8")
    except OSError as error:
        return refused(f"{goal.absolute()} cannot be written: {error.strerror}")
    print(f"{goal} is yours; open it in Jupyter, or check it with: {python()} -m mlcourse_homework check {goal}")
    return 0


def python():
    """How Python was called, if it lies below this folder."""
    try:
        return Path(sys.executable).relative_to(Path.cwd())
    except ValueError:
        return "python"


def checked(options):
    """Print the report on each file."""
    worst = 0
    for path in options.files:
        if not path.is_file() or path.suffix not in (".ipynb", ".py"):
            kind = "is not a notebook (.ipynb) or a Python file (.py)" if path.exists() else "does not exist"
            worst = refused(f"{path} {kind}")
            continue
        report = grader.grade(path, options.seconds, options.megabytes)
        if options.json:
            print(json.dumps(report))
        elif report["questions"]:
            print(grader.table(report))
        else:
            print(f"{path}: no question of a homework was checked in it", *report["errors"], sep="\n")
        worst = max(worst, 0 if grader.all_right(report) else 1 if report["questions"] else 2)
    return worst


def refused(message):
    """Say why nothing was done."""
    print(message, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
