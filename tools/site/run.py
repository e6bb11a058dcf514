"""Test the built site: links in Python, everything else in Chromium (see test.mjs).

python tools/site/run.py                            every page; says so when Chromium or npm cannot be had
python tools/site/run.py shot book/erm.html out.png [--dark] [--mobile] [--full] [--open]
python tools/site/run.py lighthouse book/erm.html
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOP = HERE.parents[1]
MODULES = TOP / "_build" / "site-test"
sys.path += [str(HERE), str(TOP / "book" / "_ext")]

from check_links import broken_links  # noqa: E402
from npm_package import NotAvailable, environment, node, npm  # noqa: E402


def chromium() -> str:
    names = [os.environ.get("CHROMIUM"), "chromium", "chromium-browser", "google-chrome"]
    for found in filter(None, map(shutil.which, filter(None, names))):
        return found
    raise NotAvailable("no Chromium found (Debian: apt-get install chromium)")


def install(*extra: str) -> None:
    """Put the pinned npm packages into _build/site-test."""
    done = MODULES / "installed"
    wanted = (HERE / "package-lock.json").read_text() + " ".join(extra)
    if done.exists() and done.read_text() == wanted:
        return
    MODULES.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy2(HERE / name, MODULES)
    commands = [["ci"], ["install", "--no-save", *extra]] if extra else [["ci"]]
    for command in commands:
        quietly = [*npm(), *command, "--silent", "--no-audit", "--no-fund", "--ignore-scripts"]
        run = subprocess.run(quietly, cwd=MODULES, env=environment(), capture_output=True, text=True)
        if run.returncode:
            raise NotAvailable(f"npm {command[0]} failed: {(run.stderr or run.stdout).strip()[-300:]}")
    done.write_text(wanted)


def run(tool: str, *args: str) -> int:
    """Run one of the ``.mjs`` tools beside this file; its exit code."""
    settings = environment() | {"CHROMIUM": chromium()}
    install(*["lighthouse@13.5.0"] if tool == "lighthouse" else [])
    return subprocess.run([node(), str(HERE / f"{tool}.mjs"), *args], env=settings).returncode


def test() -> int:
    broken = broken_links(Path(os.environ.get("SITE", TOP / "_build" / "html")))
    print(*broken, f"{len(broken)} broken links", sep="\n")
    try:
        return run("test") or int(bool(broken))
    except NotAvailable as reason:
        print(f"SITE TEST NOT RUN: {reason}")
        return int(bool(broken))


if __name__ == "__main__":
    sys.exit(run(*sys.argv[1:]) if sys.argv[1:] else test())
