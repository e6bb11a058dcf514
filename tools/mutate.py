"""Mutation testing of the package: change one token, and some test must fail.

    python tools/mutate.py                              all six rooms
    python tools/mutate.py mlcourse/losses              a folder or a file
    python tools/mutate.py --sample 15 --seed 0         15 mutants for every 100 lines of code, at least 5 of a file
    python tools/mutate.py --survivors                  once more, only those that survived before
    python tools/mutate.py --confirm                    survivors once more, from a new import
    python tools/mutate.py --report                     only the table of what is known

The mutants are made by Cosmic Ray's operators (see ``mutation/mutants.py``), and each is run in a fork of a process
that has imported everything (``mutation/arena.py``), against the tests that run its line (``mutation/cover.py``). What
is known is kept in ``.mutation/`` and used again as long as the mutated function is the same; a survivor is tried
again when a test that runs its line is new. Survivors that no test can kill are listed, with the reason, in
``tests/equivalent_mutants.toml``. Needs ``pip install cosmic-ray`` and a system that can fork.
"""

import argparse
import json
import os
import random
import sys
import time
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
os.chdir(ROOT)
sys.path[:0] = [str(ROOT / "tools"), str(ROOT)]  # the package of this folder, wherever another one is installed
os.environ["OMP_NUM_THREADS"] = "1"
os.environ["MLCOURSE_PROGRESS"] = "off"

from mutation import arena, cover  # noqa: E402
from mutation.mutants import mutants  # noqa: E402

ROOMS = ["losses", "optim", "models", "ensembles", "evaluation", "theory"]
WORK = ROOT / ".mutation"
RESULTS = WORK / "results.jsonl"
EQUIVALENT = ROOT / "tests" / "equivalent_mutants.toml"
MOST = 600  # tests that a mutant has to survive


def main():
    options = arguments()
    everything = [mutant for path in sources(options.paths) for mutant in mutants(path, (ROOT / path).read_text())]
    known = results()
    chosen = sampled(everything, options.sample, options.seed) if options.sample else everything
    if options.survivors:
        argued = Equivalents()
        chosen = [m for m in chosen if known.get(identity(m), {}).get("fate") in (arena.SURVIVED, arena.COLD)]
        chosen = [m for m in chosen if m not in argued]
    if not options.report:
        WORK.mkdir(exist_ok=True)
        (WORK / ".gitignore").write_text("*\n")
        if not options.old_map:
            refresh_map()
        suite = Suite(cover.load(WORK), options.budget, known)
        todo = [m for m in chosen if options.survivors or not suite.settled(m, known.get(identity(m)))]
        random.Random(options.seed).shuffle(todo)
        print(f"{len(everything)} mutants, {len(chosen)} chosen, {len(todo)} to run", flush=True)
        battle(todo, suite, options.jobs, options.confirm)
        known = results()
    report(everything, chosen if options.sample else everything, known, options.verbose)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("paths", nargs="*", default=[f"mlcourse/{room}" for room in ROOMS])
    parser.add_argument("--sample", type=int, metavar="N", help="mutants for every 100 lines")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--survivors", action="store_true", help="only those that survived before, unless argued")
    parser.add_argument("--report", action="store_true", help="run nothing")
    parser.add_argument("--confirm", action="store_true", help="run survivors once more, from a new import")
    parser.add_argument("--budget", type=float, default=20.0, help="seconds of tests that a mutant has to survive")
    parser.add_argument("--old-map", action="store_true", help="use the map as it is")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("-v", "--verbose", action="store_true", help="list the survivors")
    return parser.parse_args()


def sources(paths):
    """The files under the paths, relative to the root."""
    found = [file for path in map(Path, paths) for file in (sorted(path.glob("**/*.py")) if path.is_dir() else [path])]
    return [str(file.resolve().relative_to(ROOT)) for file in found]


def sampled(everything, per_hundred, seed):
    """The same share of every file, at least five mutants of each."""
    chosen = []
    for path in sorted({mutant.path for mutant in everything}):
        here = [mutant for mutant in everything if mutant.path == path]
        size = max(5, round(per_hundred * len((ROOT / path).read_text().splitlines()) / 100))
        random.Random(f"{seed} {path}").shuffle(here)
        chosen += here[:size]  # so that a larger sample holds the smaller ones
    return chosen


# What is known


def identity(mutant):
    """The mutant and the function it was made from."""
    return (*mutant.key, mutant.context)


def results():
    """The last result of each mutant."""
    known = {}
    if RESULTS.exists():
        for line in RESULTS.read_text().splitlines():
            entry = json.loads(line)
            known[tuple(entry["mutant"])] = entry
    return known


class Equivalents:
    """The file of survivors that no test can kill: by name, by line (any change of it), or by the change alone."""

    def __init__(self):
        groups = tomllib.loads(EQUIVALENT.read_text()).get("group", []) if EQUIVALENT.exists() else []
        self.named = {tuple(entry) for group in groups for entry in group.get("mutants", [])}
        self.changes = [change for group in groups for change in group.get("changes", [])]
        self.used = set()

    def __contains__(self, mutant):
        path, function, before, after, number = mutant.key
        keys = {(path, function, before, end) for end in (after, "*")} | {mutant.key}
        self.used |= keys & self.named
        return bool(keys & self.named) or any(_changed_by(before, after, *change) for change in self.changes)


def _changed_by(before, after, old, new):
    places = [i for i in range(len(before)) if before.startswith(old, i)]
    return any(after == before[:i] + new + before[i + len(old) :] for i in places)


def refresh_map():
    """Run the test files that are not in the map as they are now, each group in a process of its own."""
    known = cover.load(WORK)
    new = [name for name in cover.test_files() if cover.stale(known, name)]
    for name in new:
        if (pid := os.fork()) == 0:
            found, failed = cover.record([name])
            cover.store(WORK, found)
            print(f"mapped {name}", *(f"  not passed: {test}" for test in failed), sep="\n", flush=True)
            os._exit(0)
        os.waitpid(pid, 0)


class Suite:
    """Which tests to run against a mutant, and in which order."""

    def __init__(self, found, budget, known):
        self.budget = budget
        self.survived = {tuple(entry["mutant"][:5]): entry["tests"] for entry in known.values() if entry.get("tests")}
        self.tests = {test: tuple(value) for entry in found.values() for test, value in entry["tests"].items()}
        self.versions = {name: entry["version"] for name, entry in found.items()}
        self.killers = {}
        self.by_path = {}
        for test, (_, masks) in self.tests.items():
            for path in masks:
                self.by_path.setdefault(path, []).append(test)

    def covering(self, mutant):
        """The tests that run the changed statement, or any function of the file if it runs at import."""
        mask = sum(1 << line for line in range(mutant.first, mutant.last + 1))
        here = self.by_path.get(mutant.path, [])
        if not mutant.function:
            room = mutant.path.split("/")[1]
            return here + [test for test in self.tests if f"test_defaults[{room}." in test]  # they call nothing
        return [test for test in here if self.tests[test][1][mutant.path] & mask]

    def chosen(self, mutant):
        """Recent killers of the neighbours, then the quick cases, a few of every test function before many of one.

        If it has survived before, the tests of files that are new since then come first.
        """
        turns, counts, before = [], {}, self.survived.get(mutant.key, {})
        for test in sorted(self.covering(mutant), key=lambda test: self.tests[test][0]):
            name = test.split("[")[0]
            counts[name] = turn = counts.get(name, -1) + 1
            file = test.split("::")[0]
            old = bool(before) and before.get(file) == self.versions[file]
            cost = (turn + 1) * max(self.tests[test][0], 0.002)
            turns.append(("test_contract" in file, old, "test_defaults" not in file, cost, test))
        order = [test for *_, test in sorted(turns)]
        here = set(order)
        first = [t for t in self.killers.get((mutant.path, mutant.function), []) if t in here][:3]
        first += [t for t in self.killers.get(mutant.path, []) if t in here and t not in first][:2]
        order = first + [test for test in order if test not in first]
        total, kept = 0.0, []
        for test in order[:MOST]:
            total += self.tests[test][0]
            if kept and total > self.budget:
                break
            kept.append(test)
        return kept

    def seconds(self, tests):
        return [self.tests[test][0] for test in tests]

    def learn(self, mutant, killer):
        if killer in self.tests:
            for place in ((mutant.path, mutant.function), mutant.path):
                recent = self.killers.setdefault(place, [])
                if killer in recent:
                    recent.remove(killer)
                recent.insert(0, killer)

    def witnesses(self, mutant):
        """The test files behind a verdict, with their versions."""
        return {name: self.versions[name] for name in sorted({t.split("::")[0] for t in self.covering(mutant)})}

    def settled(self, mutant, entry):
        """Whether the stored result still stands: a kill does, a survival only before the same tests."""
        if entry is None or entry["fate"] == arena.COLD:
            return False
        return entry["fate"] != arena.SURVIVED or entry["tests"] == self.witnesses(mutant)


# The battle


def battle(todo, suite, n_children, confirm):
    """Run the mutants: in place if possible, else (and to confirm a survival) from a new import."""
    files = sorted({test.split("::")[0] for mutant in todo for test in suite.chosen(mutant)})
    start = time.monotonic()
    with RESULTS.open("a") as log:

        def note(mutant, fate, killer):
            entry = {"mutant": identity(mutant), "line": mutant.line, "fate": fate, "killer": killer}
            entry |= {"tests": suite.witnesses(mutant)} if fate == arena.SURVIVED else {}
            log.write(json.dumps(entry) + "\n")
            log.flush()

        def jobs(some):
            for mutant in some:
                tests = suite.chosen(mutant)
                if tests:
                    yield mutant, tests, suite.seconds(tests)
                else:
                    note(mutant, arena.SURVIVED, "no test runs it")

        def play(warm):
            for n, (mutant, fate, killer) in enumerate(arena.run(jobs(todo), warm.fight, n_children), 1):
                note(mutant, fate, killer)
                suite.learn(mutant, killer)
                if n % 50 == 0:
                    print(f"{n} of {len(todo)} in {time.monotonic() - start:.0f} s", flush=True)

        if (pid := os.fork()) == 0:
            arena.Warm(play).start(files)
            os._exit(0)
        os.waitpid(pid, 0)
        known = results()
        open_fates = (arena.SURVIVED, arena.COLD) if confirm else (arena.COLD,)
        todo = [m for m in todo if known.get(identity(m), {}).get("fate") in open_fates]
        if todo:
            print(f"{len(todo)} from a new import", flush=True)
            for mutant, fate, killer in arena.run(jobs(todo), arena.Cold().fight, n_children):
                note(mutant, fate, killer)
                suite.learn(mutant, killer)


def report(everything, chosen, known, verbose):
    """The table by room, and the survivors. A mutant that was killed is not equivalent, whatever the file says."""
    argued = Equivalents()
    tried = [mutant for mutant in chosen if identity(mutant) in known]
    fates = {mutant.key: known[identity(mutant)]["fate"] for mutant in tried}
    for mutant in tried:
        if fates[mutant.key] == arena.SURVIVED and mutant in argued:
            fates[mutant.key] = "equivalent"
    if verbose:
        for mutant in sorted(tried, key=lambda m: (m.path, m.line)):
            if fates[mutant.key] in (arena.SURVIVED, arena.COLD):
                print(f"{mutant.path}:{mutant.line} {mutant.function} {known[identity(mutant)]['killer']}")
                print(f"    - {mutant.before}\n    + {mutant.after}")
    head = ["room", "mutants", "tried", "killed", "timed out", "survived", "equivalent", "score", "without equivalents"]
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    rooms = {mutant.path.split("/")[1] for mutant in everything}
    for room in [*(room for room in ROOMS if room in rooms), "all"]:
        mine = [m for m in tried if room in (m.path.split("/")[1], "all")]
        counts = [fates[m.key] for m in mine]
        killed, late, alive, same = map(counts.count, (arena.KILLED, arena.TIMEOUT, arena.SURVIVED, "equivalent"))
        scores = [f"{100 * (killed + late) / max(1, n):.1f} %" for n in (len(counts), len(counts) - same)]
        total = sum(room in (m.path.split("/")[1], "all") for m in everything)
        print("| " + " | ".join(map(str, [room, total, len(counts), killed, late, alive, same, *scores])) + " |")


if __name__ == "__main__":
    main()
