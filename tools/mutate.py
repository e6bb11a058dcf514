"""Mutation testing: Cosmic Ray changes one token of the package, and some test must fail.

    python tools/mutate.py                                    300 mutants, drawn at random
    python tools/mutate.py --mutants 50 --seed 1 losses       50 of the files whose path holds "losses"

It works on the last commit, in a checkout of its own. A mutant meets the tests of its own folder and those that
name something its file defines. Survivors are shown as diffs: a missing test, or a change that makes no difference.
"""

import argparse
import ast
import os
import random
import re
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CONFIG, SESSION = "tools/mutation.toml", "mutants.sqlite"


def test() -> int:
    """Run the tests that may notice what is changed in this checkout; 0 if all of them pass."""
    changed = subprocess.run(["git", "diff", "--name-only", "mlcourse"], capture_output=True, text=True).stdout.split()
    flags = ["-o", "addopts=", "--import-mode=importlib", "-p", "no:cacheprovider", "-x", "-q"]
    return subprocess.run([sys.executable, "-m", "pytest", *flags, *tests_of(Path(changed[0]))]).returncode


def tests_of(module: Path) -> list[str]:
    """The files with tests of a module: its own first, then its folder's, then those that name what it defines."""
    defined = [node.name for node in ast.parse(module.read_text("utf8")).body if hasattr(node, "name")]
    named = re.compile(rf"\b({'|'.join([module.stem, *defined])})\b")
    own = Path("tests", *module.parts[1:-1])
    files = sorted(Path("tests").rglob("test_*.py"), key=lambda p: (p.stem != f"test_{module.stem}", p.parent != own))
    skipped = {"homework", "book", "site"}
    near = [p for p in files if not skipped & {*p.parts} and (p.parent == own or named.search(p.read_text("utf8")))]
    return [str(p) for p in near] or ["tests/test_contract.py"]


def sample(number: int, seed: int, part: str) -> None:
    """Leave only that many mutants in the session, of files whose path holds the part."""
    with sqlite3.connect(SESSION) as session:
        found = session.execute("select job_id, module_path from mutation_specs").fetchall()
        done = {job for (job,) in session.execute("select job_id from work_results")}  # filtered out
        found = sorted((job, path) for job, path in found if part in path and job not in done)
        kept = {job for job, _ in random.Random(seed).sample(found, min(number, len(found)))}
        for table in ("mutation_specs", "work_results", "work_items"):
            jobs = [job for (job,) in session.execute(f"select job_id from {table}")]
            session.executemany(f"delete from {table} where job_id = ?", [(job,) for job in jobs if job not in kept])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("part", nargs="?", default="", help="part of the path of the files to mutate")
    parser.add_argument("--mutants", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--test", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.test:
        return test()
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", scratch, "HEAD"], cwd=ROOT, check=True)
        try:
            os.chdir(scratch)
            path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
            os.environ |= {"PYTHONPATH": scratch, "PATH": path, "OMP_NUM_THREADS": "1", "MLCOURSE_PROGRESS": "off"}
            subprocess.run(["cosmic-ray", "init", CONFIG, SESSION], check=True)
            subprocess.run(["cr-filter-operators", SESSION, CONFIG], check=True)
            sample(options.mutants, options.seed, options.part)
            subprocess.run(["cosmic-ray", "exec", CONFIG, SESSION], check=True)
            return subprocess.run(["cr-report", "--surviving-only", "--show-diff", SESSION]).returncode
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", scratch], cwd=ROOT)


if __name__ == "__main__":
    sys.exit(main())
