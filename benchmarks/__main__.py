"""Run every benchmark in a process of its own, print a table, and fail if a bar is missed.

python -m benchmarks                     all of them
python -m benchmarks svm trees.tied      only those whose name begins so
python -m benchmarks --write             all, store the results and write the page of the book
"""

import argparse
import sys

from benchmarks import page
from benchmarks.bars import BARS
from benchmarks.harness import Growth, Limit, Row, load, run_apart, work


def text(found) -> str:
    """One line of the table."""
    if isinstance(found, Row):
        bar = BARS[found.key]
        times = "" if found.theirs is None else f"{page.seconds(found.ours)} / {page.seconds(found.theirs)}"
        verdict = page.bar_text(bar, found).replace("**missed**", "MISSED")
        against = f" [{bar.against}]" if bar.against else ""
        return f"{bar.task + against:<96} {times:>22} {page.measured(bar, found):>8}   {verdict:<16} {found.quality}"
    if isinstance(found, Growth):
        return f"{found.task}: grows as {found.variable}^{found.exponent:.2f}; in theory {found.theory}"
    assert isinstance(found, Limit)
    return f"{found.task}: {found.fraction:.0%} of {page.number(found.peak)} {found.kind}"


def main() -> int:
    """0 if every benchmark ran, with equal quality, and every bar is met."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", help="only benchmarks whose name begins so")
    parser.add_argument("--write", action="store_true", help="store the results and write the page of the book")
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        work(*options.names)
        return 0
    if options.write and options.names:
        parser.error("the page needs all of them")
    measured, failed = [], []
    for name in load():
        if options.names and not name.startswith(tuple(options.names)):
            continue
        try:
            found = run_apart(name)
        except RuntimeError as error:
            failed.append(name)
            print(error, file=sys.stderr, flush=True)
            continue
        for item in found:
            print(text(item), flush=True)
        measured += found
    if page.installed("mlxtend") is None:
        print("mlxtend: not installed")
    missed = [x.key for x in measured if isinstance(x, Row) and not BARS[x.key].met(x.value)]
    print(f"missed: {', '.join(missed) or 'none'}" + f"; failed: {', '.join(failed)}" * bool(failed))
    if options.write and not failed:
        page.write(measured)
    return int(bool(missed or failed))


if __name__ == "__main__":
    sys.exit(main())
