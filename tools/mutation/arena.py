"""Where mutants meet tests: a process that has everything imported, and a fork of it for each mutant.

A warm arena has collected all tests. Its fork puts the mutated code into the living function (``__code__``), or the
mutated value into the living default, class attribute or constant, and runs the chosen tests, a few milliseconds after
it was born. That cannot show every change of what runs at import (a decorator is gone), nor one that a test has already
used while it was collected. Mutants that it cannot take, or that survive, go to a cold arena, which has imported the
libraries but nothing of ours: its fork imports the mutated file and collects the tests anew.
"""

import gc
import importlib.abc
import importlib.util
import inspect
import json
import os
import resource
import select
import signal
import sys
import time
import types

import pytest
from _pytest.runner import runtestprotocol

from mutation.cover import OPTIONS, ROOT, repeatable

MEMORY = 8 << 30
SECONDS = 3.0  # processor time that a test may use, besides SLOWER times what it used before
SLOWER = 6.0
PATIENCE = 20.0  # wall time over processor time, on a busy machine
KILLED, SURVIVED, TIMEOUT, COLD = "killed", "survived", "timed out", "needs a new import"


def run(jobs, fight, n_children=1):
    """For each (mutant, tests, seconds) of ``jobs`` its (mutant, fate, killer); ``fight`` runs in the fork."""
    jobs, busy = iter(jobs), {}
    while True:
        while len(busy) < n_children and (job := next(jobs, None)) is not None:
            mutant, tests, seconds = job
            mine, theirs = os.pipe()
            if (pid := os.fork()) == 0:
                _die_after(mine, theirs, fight, mutant, tests, seconds)
            os.close(theirs)
            limit = sum(PATIENCE * (SECONDS + SLOWER * s) for s in sorted(seconds)[-3:]) + PATIENCE * sum(seconds)
            busy[pid] = (mutant, mine, time.monotonic() + limit)
        if not busy:
            return
        select.select([mine for _, mine, _ in busy.values()], [], [], 0.5)
        for pid, (mutant, mine, deadline) in list(busy.items()):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if not ended and time.monotonic() > deadline:
                os.kill(pid, signal.SIGKILL)
                ended, status = os.waitpid(pid, 0)
            if ended:
                del busy[pid]
                yield mutant, *_verdict(mine, status)


def _verdict(pipe, status):
    with os.fdopen(pipe) as stream:
        text = stream.read()
    if os.WIFSIGNALED(status):
        late = os.WTERMSIG(status) in (signal.SIGPROF, signal.SIGKILL)
        return (TIMEOUT if late else KILLED), ""
    fate, killer = json.loads(text) if text else (KILLED, "no answer")
    return fate, killer


def _die_after(mine, theirs, fight, mutant, tests, seconds):
    os.close(mine)
    quiet = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(quiet, stream)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        answer = fight(mutant, tests, seconds)
    except BaseException as error:
        answer = (KILLED, f"{type(error).__name__}: {error}"[:200])
    os.write(theirs, json.dumps(answer).encode())
    os._exit(0)


def _allow(seconds):
    signal.setitimer(signal.ITIMER_PROF, SECONDS + SLOWER * seconds)


class Warm:
    """A pytest plugin: after the collection it hands over to ``play(self)`` instead of running the tests."""

    def __init__(self, play):
        self.play = play

    def start(self, files):
        repeatable()
        return pytest.main([*OPTIONS, *files], plugins=[self])

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session):
        self.items = {item.nodeid: item for item in session.items}
        self.living = {}
        for thing in gc.get_objects():
            if isinstance(thing, types.FunctionType) and thing.__code__.co_filename.startswith(str(ROOT / "mlcourse")):
                self.living.setdefault(_address(thing.__code__), []).append(thing)
        gc.collect()
        gc.freeze()
        self.play(self)
        return True

    def fight(self, mutant, tests, seconds):
        if not (self._enters(mutant) if mutant.function else _revalues(mutant)):
            return COLD, ""
        items = [self.items[test] for test in tests]
        for item, following, used in zip(items, [*items[1:], None], seconds, strict=True):
            _allow(used)
            reports = runtestprotocol(item, nextitem=following, log=False)
            if any(report.failed for report in reports):
                return KILLED, item.nodeid
        return SURVIVED, ""

    def _enters(self, mutant):
        """Put the mutated code into the one living function that it belongs to, if there is just one."""
        module = compile(mutant.source, str(ROOT / mutant.path), "exec")
        codes = [code for code in _parts(module) if code.co_qualname == mutant.function and _holds(code, mutant.line)]
        living = [function for code in codes for function in self.living.get(_address(code), [])]
        if len(codes) == len(living) == 1:
            living[0].__code__ = codes[0]
            return True
        return False


def _revalues(mutant):
    """Put the plain values that differ in the mutated file into the living module; whether there was one."""
    living = sys.modules[Planted(mutant).name]
    scratch = types.ModuleType(living.__name__)
    scratch.__dict__.update(__file__=living.__file__, __package__=living.__package__)
    registry = sys.modules["mlcourse.theory.registry"].STATEMENTS if "mlcourse.theory.registry" in sys.modules else {}
    kept = {label: list(promises) for label, promises in registry.items()}
    exec(compile(mutant.source, living.__file__, "exec"), scratch.__dict__)
    registry.clear()
    registry.update(kept)
    changed = 0
    for name, new in vars(scratch).items():
        old = vars(living).get(name)
        if isinstance(new, type) and new.__module__ == living.__name__:
            for attribute, value in vars(new).items():
                function = getattr(value, "__func__", value)  # of a class or static method
                if isinstance(function, types.FunctionType):
                    changed += _same_defaults(getattr(vars(old)[attribute], "__func__", vars(old)[attribute]), function)
                elif _differ(vars(old).get(attribute), value):
                    setattr(old, attribute, value)
                    changed += 1
        elif callable(new):
            changed += _same_defaults(old, new)
        elif not name.startswith("__") and _differ(old, new):
            for module in list(sys.modules.values()):
                if getattr(module, "__dict__", {}).get(name) is old:
                    setattr(module, name, new)
            changed += 1
    return changed == 1 or (changed == 2 and "= " in mutant.after)  # a field of a dataclass and its default


def _same_defaults(old, new):
    """Give the old function the new one's default values; whether they differ."""
    old, new = inspect.unwrap(old), inspect.unwrap(new)
    if not isinstance(new, types.FunctionType):
        return False
    names = [name for name in ("__defaults__", "__kwdefaults__") if _differ(getattr(old, name), getattr(new, name))]
    for name in names:
        setattr(old, name, getattr(new, name))
    return bool(names)


def _differ(old, new):
    texts = repr(old), repr(new)
    return texts[0] != texts[1] and not any(" at 0x" in text for text in texts)


def _parts(code):
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield constant
            yield from _parts(constant)


def _holds(code, line):
    lines = [number for part in [code, *_parts(code)] for _, _, number in part.co_lines() if number]
    return code.co_firstlineno <= line <= max(lines)


def _address(code):
    return code.co_filename, code.co_qualname, code.co_firstlineno


class Cold:
    """Forks that import the mutated file and then let pytest collect the chosen tests."""

    def __init__(self):
        import hypothesis.extra.numpy  # noqa: F401
        import scipy.optimize
        import scipy.sparse
        import scipy.spatial
        import scipy.stats  # noqa: F401
        import sklearn.linear_model
        import sklearn.utils.estimator_checks  # noqa: F401

        assert not any(name.split(".")[0] == "mlcourse" for name in sys.modules)
        gc.freeze()

    def fight(self, mutant, tests, seconds):
        sys.meta_path.insert(0, Planted(mutant))
        repeatable()
        judge = Judge(dict(zip(tests, seconds, strict=True)))
        _allow(5.0)  # to collect
        code = pytest.main([*OPTIONS, "-x", *sorted({test.split("::")[0] for test in tests})], plugins=[judge])
        failed = code in (pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED, pytest.ExitCode.INTERNAL_ERROR)
        return (KILLED, judge.killer) if failed else (SURVIVED, "" if judge.ran else "nothing ran")


class Judge:
    """A pytest plugin: the chosen tests in the chosen order, each with its time."""

    def __init__(self, tests):
        self.tests, self.killer, self.ran = tests, "at import", 0

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items):
        found = {item.nodeid: item for item in items}
        lost = {test.split("[")[0]: None for test in self.tests if test not in found}  # a mutant may rename a test
        items[:] = [found[test] for test in self.tests if test in found]
        items += [item for test, item in found.items() if test not in self.tests and test.split("[")[0] in lost]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item):
        self.ran += 1
        _allow(self.tests.get(item.nodeid, 1.0))

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.killer = report.nodeid


class Planted(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Finds the mutated module first, and loads the mutant instead."""

    def __init__(self, mutant):
        self.mutant = mutant
        self.name = mutant.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    def find_spec(self, fullname, path=None, target=None):
        if fullname != self.name:
            return None
        where = str(ROOT / self.mutant.path)
        spec = importlib.util.spec_from_file_location(fullname, where, loader=self)
        spec.submodule_search_locations = [os.path.dirname(where)] if self.is_package(fullname) else None
        return spec

    def is_package(self, fullname):
        return self.mutant.path.endswith("__init__.py")

    def get_source(self, fullname):
        return self.mutant.source

    def get_filename(self, fullname):
        return str(ROOT / self.mutant.path)

    def get_code(self, fullname):
        return compile(self.mutant.source, str(ROOT / self.mutant.path), "exec")
