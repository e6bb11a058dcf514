"""Sphinx extension: the ledger of truth, written at build from the sources of book, package and tests.

* `{code-block} python` with `:object: mlcourse.models.linear.perceptron.perceptron` (and `:algorithm: alg-x`) shows the
  object's own lines from the package, docstrings left out, under a caption that links to the API page.
* `{verification}` lists all claims, `{algorithm-index}` all algorithms, page by page, and `{book-in-numbers}` says how
  much there is; `{errata-tests}` lists the errata that a test decides; all are made anew at every build.
* Whatever the ledger misses (a claim without proof, experiment or test, an algorithm without implementation,
  a mark without a claim) is a warning with its place.

The conventions of the book that make this possible are written down in `book_sources`, which reads them.
"""

import itertools
from pathlib import Path

from book_sources import Ledger, Mark, Place, find_object, read_ledger
from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.directives.code import CodeBlock, LiteralInclude
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

logger = logging.getLogger(__name__)


class Implementation(LiteralInclude):
    """The source lines of a function, class or method of the package."""

    def run(self) -> list[nodes.Node]:
        dotted = self.arguments[0].strip()
        try:
            found = find_object(Path(self.env.srcdir), dotted)
        except LookupError as error:
            logger.warning("object %s", error.args[0], location=self.get_location(), type="ledger")
            return [nodes.paragraph("", f"{dotted} was not found.")]
        self.arguments[0] = "/" + found.path
        name = dotted.removeprefix(found.path.removesuffix(".py").replace("/", ".") + ".")
        caption = f"{{py:obj}}`{found.path}, {name} <{dotted}>`"
        self.options |= {"lines": found.line_spec, "dedent": None, "language": "python", "caption": caption}
        return super().run()


class PackageCode(CodeBlock):
    """A code block, or with the option `object` the lines of that object of the package."""

    option_spec = CodeBlock.option_spec | {
        "object": directives.unchanged_required,
        "algorithm": directives.unchanged_required,  # read by book_sources
    }

    def run(self) -> list[nodes.Node]:
        if "object" not in self.options:
            return super().run()
        place = (self.lineno, self.content_offset, self.block_text, self.state, self.state_machine)
        return Implementation(self.name, [self.options["object"]], {}, self.content, *place).run()


class LedgerTable(SphinxDirective):
    """Tables made from the ledger, one for each page; subclasses give head and cells as inline markdown."""

    has_content = False
    head: tuple = ()

    def run(self) -> list[nodes.Node]:
        pages_with_tables(self.env).add(self.env.docname)
        ledger = current_ledger(self.env.app)
        found = [nodes.paragraph("", "", *self.inline(self.summary(ledger)))]
        for docname, entries in itertools.groupby(self.entries(ledger), lambda entry: entry.page.docname):
            found.append(nodes.rubric("", "", *self.inline(f"{{doc}}`/{docname}`")))
            found.append(self.table(map(self.cells, entries)))
        return found

    def table(self, rows) -> nodes.table:
        group = nodes.tgroup("", *(nodes.colspec(colwidth=1) for _ in self.head), cols=len(self.head))
        group += nodes.thead("", self.row([[cell] for cell in self.head]))
        group += nodes.tbody("", *map(self.row, rows))
        return nodes.table("", group, classes=["ledger", "colwidths-auto"])

    def row(self, cells) -> nodes.row:
        """A row of cells; a cell is a list of lines of inline markdown."""
        return nodes.row("", *(nodes.entry("", *map(self.paragraph, lines)) for lines in cells))

    def paragraph(self, text: str) -> nodes.paragraph:
        return nodes.paragraph("", "", *self.inline(text))

    def inline(self, text: str) -> list[nodes.Node]:
        return self.state.inline_text(text, self.lineno)[0]


class Verification(LedgerTable):
    """Code, proof, experiment, test and status of every claim in the book."""

    head = ("Claim", "Proof", "Experiment", "Test", "Status")

    def entries(self, ledger: Ledger) -> list:
        return list(ledger.claims.values())

    def summary(self, ledger: Ledger) -> str:
        claims = ledger.claims.values()
        counts = {
            "proved on the page": sum(bool(c.proof) and not c.cited for c in claims),
            "with a cited proof": sum(c.cited for c in claims),
            "run as an experiment": sum(bool(c.experiment) for c in claims),
            "tested": sum(bool(c.tests) for c in claims),
            "stated as a function": sum(bool(c.stated) for c in claims),
        }
        told, done = ", ".join(f"{n} {what}" for what, n in counts.items()), sum(c.complete for c in claims)
        return f"**{count(len(claims), 'claim')}**: {told}; {done} of {len(claims)} complete."

    def cells(self, claim) -> list:
        code = [object_link(dotted(mark.place, mark.name)) for mark in claim.stated]
        proof = f"{{ref}}`{'source' if claim.cited else 'proof'} <proof-{claim.label}>`"
        return [
            [f"{{prf:ref}}`{claim.label}`", *filter(None, [claim.title]), *code],
            [proof] if claim.proof else [],
            [f"{{ref}}`run <run-{claim.label}>`"] if claim.experiment else [],
            [test_name(mark) for mark in claim.tests],
            [claim.status],
        ]


class AlgorithmIndex(LedgerTable):
    """Problem, guarantee, cost, implementing object, file and tests of every algorithm in the book."""

    head = ("Algorithm", "Solves", "Guarantee", "Cost", "Source and tests")

    def entries(self, ledger: Ledger) -> list:
        return list(ledger.algorithms.values())

    def summary(self, ledger: Ledger) -> str:
        algorithms = ledger.algorithms.values()
        shown, tested = sum(bool(a.objects) for a in algorithms), sum(bool(a.tests) for a in algorithms)
        return f"**{count(len(algorithms), 'algorithm')}**: {shown} shown from the package, {tested} tested."

    def cells(self, algorithm) -> list:
        code = [line for found in algorithm.objects for line in (object_link(found.dotted), f"`{found.path}`")]
        return [
            [f"{{prf:ref}}`{algorithm.label}`", *filter(None, [algorithm.title])],
            *(zip(*algorithm.summary, strict=True) if algorithm.summary else [[], [], []]),
            code + [test_name(mark) for mark in algorithm.tests],
        ]


class ErrataTests(LedgerTable):
    """The entries of the errata that a test decides, with their tests."""

    head = ("Entry", "Tests")

    def entries(self, ledger: Ledger) -> list:
        return [entry for entry in ledger.errata.values() if entry.tests]

    def summary(self, ledger: Ledger) -> str:
        return f"**{len(self.entries(ledger))} of {len(ledger.errata)} entries** are decided by a test."

    def cells(self, erratum) -> list:
        return [[f"{{ref}}`{erratum.name} <erratum-{erratum.name}>`"], [test_name(mark) for mark in erratum.tests]]


class BookInNumbers(LedgerTable):
    """One paragraph: how many claims, algorithms and exercises there are, with links to their lists."""

    def run(self) -> list[nodes.Node]:
        pages_with_tables(self.env).add(self.env.docname)
        ledger = current_ledger(self.env.app)
        text = (
            f"{{doc}}`{count(len(ledger.claims), 'claim')}, each proved or cited, run and tested </book/verification>`"
            f" · {{doc}}`{count(len(ledger.algorithms), 'algorithm')} </book/algorithms>`"
            f" · {count(ledger.n_exercises, 'exercise')} with hints and solutions"
        )
        return [nodes.paragraph("", "", *self.inline(text), classes=["book-in-numbers"])]


def count(n: int, noun: str) -> str:
    """The number with its noun, as "1 claim" or "2 claims"."""
    return f"{n} {noun}{'' if n == 1 else 's'}"


def test_name(mark: Mark) -> str:
    """A test as pytest takes it: tests/path.py::name."""
    return f"`{mark.place.path}::{mark.name}`"


def dotted(place: Place, name: str) -> str:
    """The dotted path of a definition of the package."""
    module = place.path.removesuffix(".py").removesuffix("/__init__")
    return f"{module}/{name}".replace("/", ".").replace("::", ".")


def object_link(path: str) -> str:
    """A link to an object's entry on the API page, shown by its last name (Class.method for methods)."""
    parts = path.split(".")
    shown = parts[-2:] if parts[-2][:1].isupper() else parts[-1:]
    return f"{{py:obj}}`{'.'.join(shown)} <{path}>`"


def pages_with_tables(env) -> set:
    """The names of the pages made from the ledger, kept with the environment."""
    if not hasattr(env, "ledger_pages"):
        env.ledger_pages = set()
    return env.ledger_pages


def current_ledger(app: Sphinx) -> Ledger:
    """The ledger of this build, read once."""
    if not hasattr(app, "ledger"):
        app.ledger = read_ledger(Path(app.srcdir))
    return app.ledger


def always_outdated(app: Sphinx, env, added, changed, removed) -> list:
    """The pages made from the ledger: read at every build, whatever changed."""
    return sorted(pages_with_tables(env) & env.found_docs - added - removed)


def forget(app: Sphinx, env, docname: str) -> None:
    """Drop a page that is read again or gone."""
    pages_with_tables(env).discard(docname)


def merge(app: Sphinx, env, docnames, other) -> None:
    """Collect the pages read by another process."""
    pages_with_tables(env).update(pages_with_tables(other))


def warn_of_problems(app: Sphinx, env) -> None:
    """One warning for each thing the ledger misses."""
    for place, message in current_ledger(app).problems:
        logger.warning("%s: %s", place, message, type="ledger")


def link_to_api(app: Sphinx, env, node, contnode):
    """Link an object without an API entry of its own to its class, or to its name at the front door."""
    if node.get("refdomain") != "py" or not node["reftarget"].startswith("mlcourse."):
        return None
    parts = node["reftarget"].split(".")
    holders = [".".join(parts[:n]) for n in range(len(parts) - 1, 2, -1)]
    front = [f"{parts[0]}.{part}" for part in reversed(parts[1:])]
    domain = env.get_domain("py")
    for target in holders + front:
        if target in domain.objects and domain.objects[target].objtype != "module":
            return domain.resolve_xref(env, node["refdoc"], app.builder, "obj", target, node, contnode)
    return None


def setup(app: Sphinx) -> dict:
    app.add_directive("code-block", PackageCode, override=True)
    app.add_directive("verification", Verification)
    app.add_directive("algorithm-index", AlgorithmIndex)
    app.add_directive("book-in-numbers", BookInNumbers)
    app.add_directive("errata-tests", ErrataTests)
    app.connect("env-get-outdated", always_outdated)
    app.connect("env-purge-doc", forget)
    app.connect("env-merge-info", merge)
    app.connect("env-check-consistency", warn_of_problems)
    app.connect("missing-reference", link_to_api)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
