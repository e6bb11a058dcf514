"""Which tests run which lines: the suite run once under coverage, one context for each test.

The map is kept by test file: ``{"version": hash, "sources": {path: hash}, "tests": {nodeid: [seconds, masks]}}``, where
bit n of ``masks[path]`` stands for line n. A test file is run again when it or a source it touches has changed.
"""

import gzip
import hashlib
import json
import os
from pathlib import Path

import coverage
import pytest

ROOT = Path(__file__).resolve().parents[2]
SUITE = ["losses", "optim", "models", "ensembles", "evaluation", "theory", "theorems", "data"]
SINGLE = ["test_losses.py", "test_trace.py", "test_testing.py", "test_contract.py"]
OPTIONS = [
    "-o", "addopts=", "--import-mode=importlib", "--strict-markers", "-p", "no:cacheprovider", "-p", "no:xdist",
    "-p", "no:nbval", "-p", "no:terminal", "-W", "ignore::pytest.PytestAssertRewriteWarning", "--rootdir", str(ROOT),
]  # fmt: skip


def test_files():
    """The test files that may kill a mutant; the contract, which is slow, comes last."""
    found = [path for folder in SUITE for path in sorted((ROOT / "tests" / folder).glob("test_*.py"))]
    return [str(path.relative_to(ROOT)) for path in [*found, *(ROOT / "tests" / name for name in SINGLE)]]


def version(path):
    """A hash of the file's content."""
    return hashlib.sha256((ROOT / path).read_bytes()).hexdigest()[:16]


def repeatable():
    """Hypothesis without chance, memory, clock or shrinking, so that a mutant meets the same fate twice."""
    from hypothesis import HealthCheck, Phase, settings

    settings.register_profile(
        "mutation",
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    settings.load_profile("mutation")


class Recorder:
    """A pytest plugin: the lines and the seconds of each test that passes."""

    def __init__(self, cov, seen):
        self.cov, self.seen, self.failed = cov, seen, set()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item):
        self.cov.switch_context(item.nodeid)
        start = sum(os.times()[:4])
        yield
        self.seen[item.nodeid] = round(sum(os.times()[:4]) - start, 4)  # processor time, that of its children too
        self.cov.switch_context("")

    def pytest_runtest_logreport(self, report):
        if report.outcome != "passed":  # a skipped test kills nothing either
            self.failed.add(report.nodeid)


def record(files):
    """The map of these test files, by a run of them."""
    repeatable()
    cov = coverage.Coverage(data_file=None, config_file=False, include=[str(ROOT / "mlcourse" / "*")])
    recorder = Recorder(cov, seen := {})
    cov.start()
    pytest.main([*OPTIONS, *files], plugins=[recorder])
    cov.stop()
    data = cov.get_data()
    masks = {}
    for source in data.measured_files():
        name = str(Path(source).relative_to(ROOT))
        for line, tests in data.contexts_by_lineno(source).items():
            for test in tests:
                lines = masks.setdefault(test, {})
                lines[name] = lines.get(name, 0) | 1 << line
    found = {name: {"version": version(name), "sources": {}, "tests": {}} for name in files}
    for test, seconds in seen.items():
        if test not in recorder.failed:
            entry = found[test.split("::")[0]]
            entry["tests"][test] = [seconds, masks.get(test, {})]
            entry["sources"] |= {name: version(name) for name in masks.get(test, {})}
    return found, sorted(recorder.failed)


def load(folder):
    """The stored map."""
    found = {}
    for path in sorted(folder.glob("map-*.json.gz")):
        name, entry = json.loads(gzip.decompress(path.read_bytes()))
        for test in entry["tests"].values():
            test[1] = {source: int(mask, 16) for source, mask in test[1].items()}
        found[name] = entry
    return found


def store(folder, found):
    """Write the map, one file for each test file."""
    folder.mkdir(exist_ok=True)
    for name, entry in found.items():
        tests = {}
        for test, (seconds, masks) in entry["tests"].items():
            tests[test] = [seconds, {source: f"{mask:x}" for source, mask in masks.items()}]
        text = json.dumps([name, entry | {"tests": tests}])
        path = folder / f"map-{name.replace('/', '-')}.json.gz"
        path.with_suffix(".tmp").write_bytes(gzip.compress(text.encode(), 3))
        path.with_suffix(".tmp").rename(path)


def stale(found, name):
    """Whether a test file must be run again."""
    entry = found.get(name)
    if entry is None or entry["version"] != version(name):
        return True
    return any(not (ROOT / src).exists() or version(src) != old for src, old in entry["sources"].items())
