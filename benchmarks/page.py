"""The page ``performance`` of the book: its tables are written from the stored results of a run, never by hand."""

import json
import platform
import re
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np

from benchmarks.bars import BARS, FROM_SCRATCH, PARTS, Bar, Part
from benchmarks.harness import Growth, Limit, Row

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results.json"
PAGE = ROOT / "book" / "performance.md"
BLOCK = re.compile(r"(?P<begin>^% begin (?P<name>\S+)\n).*?(?P<end>^% end (?P=name)$)", re.MULTILINE | re.DOTALL)


# --- the stored results ----------------------------------------------------------------------------


def machine() -> dict:
    """What the numbers were measured with."""
    blas = np.show_config(mode="dicts")["Build Dependencies"]["blas"]
    return {
        "processor": processor(),
        "system": platform.system(),
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "scipy": version("scipy"),
        "scikit-learn": version("scikit-learn"),
        "mlxtend": installed("mlxtend"),
        "blas": f"{blas['name']} {blas['version']}",
    }


def processor() -> str:
    """The name of the processor."""
    try:
        names = re.findall(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text("utf8"), re.MULTILINE)
    except OSError:
        names = []
    return names[0] if names else platform.processor() or platform.machine()


def installed(package: str) -> str | None:
    """The version of a package, None if it is not there."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def stored(found: list) -> dict:
    """Everything measured as plain data, with four digits."""
    kinds = {"rows": Row, "growth": Growth, "limits": Limit}
    data = {name: [rounded(asdict(x)) for x in found if isinstance(x, kind)] for name, kind in kinds.items()}
    return {"machine": machine()} | data


def rounded(value):
    """The same data with floats of four digits."""
    if isinstance(value, float):
        return float(f"{value:.4g}")
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    return [rounded(item) for item in value] if isinstance(value, (list, tuple)) else value


def write(found: list) -> None:
    """Store the results and fill the page with them."""
    results = stored(found)
    RESULTS.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", "utf8")
    PAGE.write_text(filled(PAGE.read_text("utf8"), results), "utf8")


# --- the blocks of the page ------------------------------------------------------------------------


def filled(page: str, results: dict) -> str:
    """The page with every block, from "% begin name" to "% end name", written from the results."""
    blocks = {
        "verdict": verdict(results),
        "speed": "\n".join(section(part, results) for part in PARTS),
        "mlxtend": from_scratch(results),
        "growth": growth_table(results),
        "limits": limits_table(results),
        "machine": machine_lines(results),
    }
    names = [match["name"] for match in BLOCK.finditer(page)]
    if sorted(names) != sorted(blocks):
        raise ValueError(f"the page must have the blocks {sorted(blocks)}, once each, got {sorted(names)}")
    return BLOCK.sub(lambda match: f"{match['begin']}\n{blocks[match['name']].strip()}\n\n{match['end']}", page)


def table(head: list[str], right: set[int], lines: list[list[str]]) -> str:
    """A Markdown table; the columns in ``right`` are aligned to the right."""
    rule = ["---:" if i in right else "---" for i in range(len(head))]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (head, rule, *lines))


def number(value: float) -> str:
    """Two or three digits, no exponent."""
    places = 0 if value >= 99.5 else 1 if value >= 9.95 else 2 if value >= 0.0995 else 3
    return f"{value:.{places}f}"


def seconds(value: float) -> str:
    """A time in a unit that suits it."""
    return f"{number(value)} s" if value >= 0.995 else f"{number(1000 * value)} ms"


def measured(bar: Bar, row: Row) -> str:
    """The number that is held against the bar."""
    return f"{number(row.value)} {bar.unit}".strip()


def bar_text(bar: Bar, row: Row) -> str:
    """The bar, and whether it was met."""
    if bar.limit is None:
        return "–"
    promise = f"{'≥' if bar.at_least else '≤'} {bar.limit:g} {bar.unit}".strip()
    return f"{promise}, " + ("met" if bar.met(row.value) else "**missed**")


def line(bar: Bar, row: Row) -> list[str]:
    """The row of a bar in a table of the page."""
    task = f"{bar.task}<br>against {bar.against}" if bar.against != "scikit-learn" and bar.against else bar.task
    times = "–" if row.theirs is None else f"{seconds(row.ours)} / {seconds(row.theirs)}"
    return [task, row.quality.replace("%", " %"), times, measured(bar, row), bar_text(bar, row)]


HEAD = ["task", "equal first", "time, ours / theirs", "ratio", "bar"]


def rows_of(results: dict) -> dict[str, Row]:
    """The measured rows by key."""
    return {fields["key"]: Row(**fields) for fields in results["rows"]}


def section(part: Part, results: dict) -> str:
    """A heading, the chapters, and the table of one part."""
    rows = rows_of(results)
    chapters = " and ".join(f"{{doc}}`{chapter}`" for chapter in part.chapters)
    if len(part.chapters) > 2:
        *first, last = [f"{{doc}}`{chapter}`" for chapter in part.chapters]
        chapters = f"{', '.join(first)} and {last}"
    lines = [line(bar, rows[bar.key]) for bar in part.bars]
    return f"### {part.title}\n\nChapters: {chapters}.\n\n{table(HEAD, {3}, lines)}\n"


def verdict(results: dict) -> str:
    """How many bars are met, and what is said of the others."""
    rows = rows_of(results)
    bars = [bar for bar in BARS.values() if bar.limit is not None]
    missed = [bar for bar in bars if not bar.met(rows[bar.key].value)]
    ratios = [rows[bar.key].value for bar in bars if rows[bar.key].theirs is not None]
    faster = sum(ratio < 1 for ratio in ratios)
    text = (
        f"Of {len(bars)} bars, {len(bars) - len(missed)} are met. Of the {len(ratios)} that are ratios of times, "
        f"{faster} are below one: there the readable code is the faster one. Half of the ratios are "
        f"below {number(float(np.median(ratios)))}."
    )
    if missed:
        text += " Missed, and why:\n\n" + "\n".join(f"- {miss(bar, rows[bar.key])}" for bar in missed)
    return text


def miss(bar: Bar, row: Row) -> str:
    """A missed bar in a sentence."""
    part = next(part for part in PARTS if bar in part.bars)
    task = next((b.task for b in reversed(part.bars[: part.bars.index(bar)]) if not b.task.startswith("the same")), "")
    name = bar.task.replace("the same", task, 1) if bar.task.startswith("the same") else bar.task
    reason = f": {bar.if_missed}" if bar.if_missed else ""
    return f"{name}: {measured(bar, row)} instead of {bar.limit:g}{reason}."


def from_scratch(results: dict) -> str:
    """The table against mlxtend, or that it was not installed."""
    rows = rows_of(results)
    if results["machine"]["mlxtend"] is None:
        return "Not measured in this run: mlxtend is not installed."
    lines = [line(bar, rows[bar.key])[:4] for bar in FROM_SCRATCH.bars]
    return table(HEAD[:4], {3}, [[cells[0].partition("<br>")[0], *cells[1:]] for cells in lines])


def growth_table(results: dict) -> str:
    """Exponents in m and d next to what theory says."""
    lines = []
    for growth in (Growth(**fields) for fields in results["growth"]):
        sizes = f"{growth.variable} = {growth.sizes[0]} … {growth.sizes[-1]}"
        lines.append([growth.task, sizes, f"{growth.variable}^{growth.exponent:.2f}", growth.theory])
    return table(["task", "range", "grows as", "exponent in theory"], set(), lines)


def limits_table(results: dict) -> str:
    """Fractions of the machine's limits."""
    lines = []
    for limit in (Limit(**fields) for fields in results["limits"]):
        rate = f"{number(limit.work / limit.seconds)} of {number(limit.peak)} {limit.kind}"
        lines.append([limit.task, limit.count, rate, f"{limit.fraction:.0%}".replace("%", " %")])
    return table(["task", "least work", "reached", "of the limit"], {3}, lines)


def machine_lines(results: dict) -> str:
    """With what it was measured."""
    what = results["machine"]
    peaks = {kind: max(x["peak"] for x in results["limits"] if x["kind"] == kind) for kind in ("GFLOP/s", "GB/s")}
    other = f"mlxtend {what['mlxtend']}" if what["mlxtend"] else "without mlxtend"
    return (
        f"Measured on one core of a processor that calls itself {what['processor']} ({what['system']}), which "
        f"multiplies matrices at {number(peaks['GFLOP/s'])} GFLOP/s and reads memory at {number(peaks['GB/s'])} GB/s, "
        f"with Python {what['python']}, NumPy {what['numpy']} ({what['blas']}), SciPy {what['scipy']}, "
        f"scikit-learn {what['scikit-learn']}, {other}."
    )
