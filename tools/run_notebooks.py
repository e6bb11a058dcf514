"""Run the chapters from top to bottom and write them in one canonical form.

    python tools/run_notebooks.py [paths]            all of book/ if no path is given
    python tools/run_notebooks.py --check [paths]    only say which files are not canonical

The site fills the code blocks that show an object of the package (``:object: mlcourse...``); notebooks hold no copy of
its lines. The pages of a homework and of its solutions are made from its module in ``mlcourse_homework.sets``.

Canonical: code cells counted 1..n, text outputs kept, images dropped (the text of a figure stays), printed
text in one piece, no timings, cell metadata reduced to tags and mystnb, and each cell named by a hash of its
source. So an unchanged chapter gives the same bytes when it is run again, and a cell edited after the run is
noticed.
"""

import argparse
import hashlib
import importlib
import os
import re
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT))
os.environ.setdefault("MLCOURSE_PROGRESS", "off")  # a run of the book is nobody's homework

from mlcourse_homework.engine import pages  # noqa: E402

STUB, ENDING = re.compile(r"\bhw\.(q\d+)\.check\("), "-solution"
MACHINE = {
    "an object's address": re.compile(r"\b0x[0-9a-fA-F]{6,}"),
    "an absolute path": re.compile(r"(?<![\w.:/<)])/[A-Za-z][\w.-]*/[\w.-]+|\b[A-Z]:\\\w|\bipykernel_\d+"),
}


def notebooks(paths=(), root: Path = ROOT) -> list[Path]:
    """The given notebooks, those in the given folders, or all of the book's."""
    found = []
    for path in [Path(p) for p in paths] or [root / "book"]:
        found += sorted(path.rglob("*.ipynb")) if path.is_dir() else [path]
    return [path for path in found if ".ipynb_checkpoints" not in path.parts]


def made(path: Path) -> list | None:
    """The cells that the module of a homework makes for the page at this path; None for other notebooks."""
    if path.parent.name != "homework":
        return None
    name = path.stem.removesuffix(ENDING).replace("-", "_")
    homework = importlib.import_module(f"mlcourse_homework.sets.{name}").homework
    cells = pages.solutions(homework) if is_solution(path) else pages.page(homework)
    return [nbformat.from_dict(cell | {"id": str(number)}) for number, cell in enumerate(cells)]


def is_solution(path: Path) -> bool:
    """Whether a notebook is a page of solutions."""
    return path.parent.name == "homework" and path.stem.endswith(ENDING)


def canonical(nb):
    """A copy of the notebook in canonical form; execution counts are left as they are."""
    cells, seen = [], {}
    for cell in nb.cells:
        source = cell.source.rstrip()
        digest = hashlib.sha256(f"{cell.cell_type}\n{source}".encode()).hexdigest()[:8]
        seen[digest] = seen.get(digest, 0) + 1
        name = digest if seen[digest] == 1 else f"{digest}-{seen[digest]}"
        new = {"id": name, "cell_type": cell.cell_type, "metadata": kept_metadata(cell), "source": source}
        if cell.cell_type == "code":
            count = cell.execution_count
            new |= {"execution_count": count, "outputs": kept_outputs(cell.outputs, count)}
        cells.append(new)
    return nbformat.from_dict({"nbformat": 4, "nbformat_minor": 5, "metadata": pages.METADATA, "cells": cells})


def kept_metadata(cell) -> dict:
    """The tags (sorted) and the mystnb settings of a cell."""
    kept = {key: cell.metadata[key] for key in ("mystnb", "tags") if cell.metadata.get(key)}
    if "tags" in kept:
        kept["tags"] = sorted(kept["tags"])
    return kept


def kept_outputs(outputs, count) -> list:
    """The outputs without images, consecutive prints merged."""
    kept: list = []
    for output in outputs:
        output = dict(output)
        if output["output_type"] == "stream" and kept and kept[-1].get("name") == output["name"]:
            kept[-1]["text"] += output["text"]
            continue
        if "data" in output:
            data = {kind: value for kind, value in output["data"].items() if not kind.startswith("image/")}
            output |= {"data": data, "metadata": {}}
        if "execution_count" in output:
            output["execution_count"] = count
        kept.append(output)
    return kept


def serialised(nb) -> str:
    """The text of a notebook file."""
    return nbformat.writes(nb, version=4).rstrip("\n") + "\n"


def output_problems(nb) -> list[str]:
    """What stands in the outputs and should not: errors, warnings, addresses, paths, results without text."""
    problems = []
    for number, cell in enumerate(nb.cells, 1):
        for output in cell.get("outputs", []):
            data = {**output.get("data", {}), "text": output.get("text", "")}
            text = "\n".join(value for value in data.values() if isinstance(value, str))
            hits = {what: pattern.search(text) for what, pattern in MACHINE.items()}
            said = [f"shows {what} ({hit[0]!r})" for what, hit in hits.items() if hit]
            if output.output_type == "error":
                said.append(f"failed with {output.ename}: {output.evalue}")
            if output.get("name") == "stderr":
                said.append(f"writes to stderr: {text.strip().splitlines()[-1] if text.strip() else ''}")
            if "data" in output and "text/plain" not in output.data:
                said.append("has an output without text/plain")
            problems += [f"cell {number} {problem}" for problem in said]
    return problems


def answer_problems(path: Path, nb) -> list[str]:
    """The checks that do not say what they should: right on a page of solutions, nothing attempted on the other."""
    if path.parent.name != "homework":
        return []
    wanted, problems = "right" if is_solution(path) else "not attempted yet", []
    for number, cell in enumerate(nb.cells, 1):
        texts = [output.get("data", {}).get("text/plain", "") for output in cell.get("outputs", [])]
        if STUB.search(cell.source) and cell.cell_type == "code" and not "".join(texts).startswith(wanted):
            problems.append(f"cell {number} should say {wanted!r}, not {''.join(texts)[:200]!r}")
    return problems


def check(path: Path) -> list[str]:
    """Why the file is not canonical; an empty list if it is."""
    text = path.read_text("utf8")
    nb = nbformat.reads(text, as_version=4)
    counts = [cell.execution_count for cell in nb.cells if cell.cell_type == "code"]
    problems = output_problems(nb) + answer_problems(path, nb)
    wanted = made(path)
    if wanted is not None and [*map(content, nb.cells)] != [*map(content, wanted)]:
        problems.append("it is not the page that the module of the homework makes")
    if any(cell.cell_type == "code" and not cell.source.strip() for cell in nb.cells):
        problems.append("there is an empty code cell")
    if counts and set(counts) == {None}:
        problems.append("it was never run")
    elif counts != list(range(1, len(counts) + 1)):
        problems.append(f"it was not run from top to bottom: the counts are {counts}")
    if serialised(canonical(nb)) != text:
        pairs = enumerate(zip(nb.cells, canonical(nb).cells, strict=True), 1)
        edited = [number for number, (old, new) in pairs if old.get("id") != new.id]
        problems.append("it is not in canonical form" + (f" (edited since its run: cells {edited})" if edited else ""))
    return problems


def run(path: Path) -> list[str]:
    """Execute a notebook in place; why that was refused, in which case the file is left alone."""
    cells = made(path)
    nb = nbformat.read(path, as_version=4) if cells is None else nbformat.v4.new_notebook(cells=cells)
    nb.cells = [cell for cell in nb.cells if cell.source.strip()]
    folder = {"metadata": {"path": str(path.resolve().parent)}}
    client = NotebookClient(nb, timeout=300, kernel_name="python3", record_timing=False, resources=folder)
    try:
        client.execute()
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        number = next((i for i, cell in enumerate(nb.cells, 1) if is_failed(cell)), "?")
        return [f"cell {number} failed\n{error}"]
    new = canonical(nb)
    nbformat.validate(new)
    problems = output_problems(new) + answer_problems(path, new)
    if not problems and (not path.exists() or serialised(new) != path.read_text("utf8")):
        beside = path.with_suffix(".ipynb.new")
        beside.write_text(serialised(new), "utf8")
        os.replace(beside, path)
    return problems


def content(cell) -> tuple:
    """What a cell is before it is run."""
    return cell.cell_type, cell.source.rstrip(), kept_metadata(cell)


def is_failed(cell) -> bool:
    """Whether a code cell ended in an error, or did not end."""
    return cell.cell_type == "code" and (
        cell.execution_count is None or any(output.output_type == "error" for output in cell.outputs)
    )


def main(arguments=None) -> int:
    """Run or check the notebooks; 1 if one of them was refused."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="*", help="notebooks or folders; all of book/ by default")
    parser.add_argument("--check", action="store_true", help="say which are not canonical, run nothing")
    options = parser.parse_args(arguments)
    paths, refused = notebooks(options.paths), 0
    with ProcessPoolExecutor(2) as pool:
        for path, problems in zip(paths, pool.map(check if options.check else run, paths), strict=True):
            refused += bool(problems)
            said = [f"{path}: {'refused' if problems else 'ok'}", *(f"  {problem}" for problem in problems)]
            print(*said, sep="\n", flush=True)
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
