"""The book read as data: pages, boxes, labels, claims and algorithms, straight from the source files.

The conventions, checked by `read_ledger` (at every build and in tests/book/test_ledger.py):

* A claim is a `prf:theorem`, `prf:lemma`, `prf:proposition` or `prf:corollary` box labelled `thm-`, `lem-`,
  `prop-` or `cor-`; algorithms are labelled `alg-`, definitions `def-`. No label occurs twice in the book.
* The proof of claim L stands after its box: a dropdown with `:name: proof-L`. A proof beyond the course is
  cited instead: a paragraph under the target `(proof-L)=` that says "Proof:" and has a {cite} role.
* The experiment of claim L is marked by the target `(run-L)=` in a markdown cell. It consists of the code
  cells from there to the next markdown cell that holds a claim box or another experiment's target; at least
  one of them asserts. Several targets may share one experiment by standing in the same markdown cell.
* The tests of claim L are marked `@pytest.mark.claim("L")`, those of an algorithm
  `@pytest.mark.algorithm("alg-x")`; one mark may list several labels.
* An entry of the errata stands under the target `(erratum-X)=`; a test that decides it is marked
  `@pytest.mark.erratum("X")`.
* A bound in the package that states claim L is decorated `@states("L")`.
* The box `alg-x` is implemented by what a `{code-block}` with `:object: dotted.path` and `:algorithm: alg-x` shows.
* What it solves, promises and costs stands in a row of its page's table `| algorithm | solves | guarantee | cost |`
  whose first cell refers to it.

Nothing is imported or executed: notebooks are JSON, pages are scanned for fences, code is read with `ast`.
"""

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

CLAIMS = {"theorem": "thm-", "lemma": "lem-", "proposition": "prop-", "corollary": "cor-"}
PREFIX = {**CLAIMS, "algorithm": "alg-", "definition": "def-"}
VERBATIM = {"code", "code-block", "code-cell", "sourcecode", "literalinclude", "math", "raw", "eval-rst", "mermaid"}

FENCE = re.compile(r"\s*(?P<fence>`{3,}|~{3,}|:{3,})\s*(?:\{(?P<name>[^}]+)\}(?P<argument>.*)|[^`]*)$")
OPTION = re.compile(r"\s*:(?P<key>[\w-]+):\s*(?P<value>.*?)\s*$")
YAML_OPTION = re.compile(r"(?P<key>[\w-]+):\s*(?P<value>.*?)\s*$")
TARGET = re.compile(r"\s*\((?P<label>[^()\s]+)\)=\s*$")
EQUATION = re.compile(r"\$\$\s*\((?P<label>[^()\s]+)\)\s*$")
ROLE = re.compile(r"(?<![`\w])\{(?P<role>[\w:]+)\}`(?P<text>[^`]+)`(?!`)")
LITERAL = re.compile(r"``.+?``")
SUMMARY_HEAD = ["algorithm", "solves", "guarantee", "cost"]
ASSERTS = re.compile(r"^\s*(assert\b|([\w.]+\.)?assert_\w+\()", re.MULTILINE)


@dataclass(frozen=True)
class Place:
    """Where something stands: a file relative to the project, a cell (counted from 1) and a line in it."""

    path: str
    line: int = 0
    cell: int = 0

    def __str__(self) -> str:
        parts = [self.path, f"cell {self.cell}" if self.cell else "", f"line {self.line}" if self.line else ""]
        return ", ".join(part for part in parts if part)


@dataclass(frozen=True)
class Line:
    """A line of markdown outside verbatim blocks."""

    text: str
    place: Place


@dataclass(frozen=True)
class Box:
    """A fenced directive; the items of its body follow it in the page."""

    name: str
    argument: str
    options: dict
    body: str
    place: Place
    inside: tuple = ()  # names of the boxes around it

    @property
    def label(self) -> str:
        return self.options.get("label") or self.options.get("name") or ""


@dataclass(frozen=True)
class Code:
    """A code cell of a notebook."""

    source: str
    metadata: dict
    place: Place


@dataclass
class Page:
    """A page of the book: its path and what it holds, in reading order."""

    path: str
    items: list = field(default_factory=list)
    problems: list = field(default_factory=list)

    @property
    def docname(self) -> str:
        return self.path.rsplit(".", 1)[0]

    def of(self, kind) -> list:
        """The items of one kind: Line, Box or Code."""
        return [item for item in self.items if isinstance(item, kind)]


# ---------------------------------------------------------------------------------------------- pages


def page_files(root: Path) -> list[Path]:
    """All sources of the book in the order of _toc.yml, without names that start with a dot or underscore."""
    toc = root / "_toc.yml"
    listed = re.findall(r"\b(?:root|file):\s*([^\s,}]+)", toc.read_text("utf8")) if toc.exists() else []
    order = {name: i for i, name in enumerate(listed)}
    found = [p.relative_to(root) for end in ("ipynb", "md") for p in (root / "book").rglob(f"*.{end}")]
    shown = [p for p in found if not any(part[0] in "._" for part in p.parts)]
    return [root / p for p in sorted(shown, key=lambda p: (order.get(p.with_suffix("").as_posix(), len(order)), p))]


def read_pages(root: Path) -> list[Page]:
    """Every page of the book under the project folder `root`."""
    return [read_page(root, path) for path in page_files(root)]


def read_page(root: Path, path: Path) -> Page:
    """One page, a notebook or a markdown file."""
    page = Page(path.relative_to(root).as_posix())
    text = path.read_text("utf8")
    if path.suffix == ".md":
        page.items = list(scan(text.splitlines(), Place(page.path), page.problems))
        return page
    for number, cell in enumerate(json.loads(text)["cells"], 1):
        source, place = "".join(cell["source"]), Place(page.path, 0, number)
        if cell["cell_type"] == "code":
            page.items.append(Code(source, cell.get("metadata", {}), place))
        elif cell["cell_type"] == "markdown":
            page.items += scan(source.splitlines(), place, page.problems)
    return page


def scan(lines: list[str], place: Place, problems: list, inside: tuple = ()) -> Iterator:
    """The lines and boxes of some markdown, in order, the content of a box after the box."""
    i = 0
    while i < len(lines):
        here = Place(place.path, place.line + i + 1, place.cell)
        opening = FENCE.match(lines[i])
        if opening is None or (opening["fence"][0] == ":" and not opening["name"]):
            if not lines[i].startswith("%"):
                yield Line(lines[i], here)
            i += 1
            continue
        end = closing_line(lines, i, opening["fence"])
        if end is None:
            problems.append((here, f"the fence {opening['fence']} is never closed"))
            end = len(lines)
        if opening["name"]:
            body = lines[i + 1 : end]
            options, skipped = box_options(body)
            name, argument = opening["name"].strip(), opening["argument"].strip()
            yield (box := Box(name, argument, options, "\n".join(body[skipped:]), here, inside))
            if box.name not in VERBATIM:
                start = Place(here.path, here.line + skipped, here.cell)
                yield from scan(body[skipped:], start, problems, (*inside, box.name))
        i = end + 1


def closing_line(lines: list[str], start: int, fence: str) -> int | None:
    """The index of the line that closes the fence opened at `start`."""
    for i in range(start + 1, len(lines)):
        mark = lines[i].strip()
        if len(mark) >= len(fence) and set(mark) == {fence[0]}:
            return i
    return None


def box_options(body: list[str]) -> tuple[dict, int]:
    """The options at the head of a box (`:key: value`, or YAML between ---) and how many lines they take."""
    options: dict = {}
    if body and body[0].strip() == "---":
        end = next((i for i, line in enumerate(body[1:], 1) if line.strip() == "---"), len(body) - 1)
        matches = [YAML_OPTION.match(line) for line in body[1:end]]
        return {m["key"]: m["value"].strip("'\"") for m in matches if m}, end + 1
    for i, line in enumerate(body):
        option = OPTION.match(line)
        if option is None:
            return options, i
        options[option["key"]] = option["value"]
    return options, len(body)


# ---------------------------------------------------------------------------------- labels and references


def labels(page: Page) -> list[tuple[str, str, Place]]:
    """All (label, kind, place) a page defines; kind is "eq", "prf" or "name"."""
    found = []
    for item in page.items:
        if isinstance(item, Line):
            if match := TARGET.match(item.text):
                found.append((match["label"], "name", item.place))
            if match := EQUATION.search(item.text):
                found.append((match["label"], "eq", item.place))
        elif isinstance(item, Box) and item.label:
            kind = "prf" if item.name.startswith("prf:") else "eq" if item.name == "math" else "name"
            found.append((item.label, kind, item.place))
        elif isinstance(item, Code):
            if name := item.metadata.get("mystnb", {}).get("figure", {}).get("name"):
                found.append((name, "name", item.place))
    return found


def references(page: Page) -> list[tuple[str, str, Place]]:
    """All (role, target, place) of the inline roles on a page, such as ("prf:ref", "thm-novikoff", ...)."""
    texts = [(item.text, item.place) for item in page.of(Line)]
    texts += [(item.argument, item.place) for item in page.of(Box)]
    found = []
    for text, place in texts:
        for match in ROLE.finditer(LITERAL.sub("", text)):
            shown = re.fullmatch(r".*<(.+)>", match["text"], re.DOTALL)
            target = shown[1] if shown else match["text"]
            parts = target.split(",") if match["role"].startswith("cite") else [target]
            found += [(match["role"], part.strip(), place) for part in parts]
    return found


# ------------------------------------------------------------------------------------- code, by its names


@dataclass(frozen=True)
class CodeObject:
    """A function, class or method of the package: its file and the lines to show (docstrings left out)."""

    dotted: str
    path: str
    lines: tuple

    @property
    def line_spec(self) -> str:
        """The lines as ranges, such as "3,5-9"."""
        runs: list = []
        for n in self.lines:
            if runs and n == runs[-1][1] + 1:
                runs[-1][1] = n
            else:
                runs.append([n, n])
        return ",".join(f"{a}" if a == b else f"{a}-{b}" for a, b in runs)


def find_object(root: Path, dotted: str) -> CodeObject:
    """The function, class or method with this dotted path; LookupError says which part does not exist."""
    parts = dotted.split(".")
    if not all(part.isidentifier() for part in parts):
        raise LookupError(f"{dotted!r} is not a dotted path such as mlcourse.models.linear.perceptron.perceptron")
    for n in range(len(parts) - 1, 0, -1):
        stem = root.joinpath(*parts[:n])
        file = next((f for f in (stem.with_suffix(".py"), stem / "__init__.py") if f.is_file()), None)
        if file is not None:
            break
    else:
        raise LookupError(f"{dotted}: there is no module {'.'.join(parts[:-1]) or dotted}")
    source, path = file.read_text("utf8"), file.relative_to(root).as_posix()
    node = ast.parse(source)
    for k in range(n, len(parts)):
        members = [child for child in node.body if is_definition(child) and child.name == parts[k]]
        if not members:
            raise LookupError(f"{dotted}: {path} defines no {'.'.join(parts[n : k + 1])}")
        node = members[-1]
    return CodeObject(dotted, path, shown_lines(node, source.splitlines()))


def is_definition(node) -> bool:
    """Whether an ast node defines a function or a class."""
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)


def shown_lines(node, lines: list[str]) -> tuple:
    """The lines of a definition with its decorators, without docstrings and the blank lines after them."""
    first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
    hidden: set = set()
    for child in ast.walk(node):
        if is_definition(child) and len(child.body) > 1 and ast.get_docstring(child) is not None:
            doc = child.body[0]
            if doc.lineno > child.lineno and child.body[1].lineno > doc.end_lineno:
                end = doc.end_lineno
                while not lines[end].strip():
                    end += 1
                hidden.update(range(doc.lineno, end + 1))
    return tuple(n for n in range(first, node.end_lineno + 1) if n not in hidden)


@dataclass(frozen=True)
class Mark:
    """A label attached to a definition by a decorator such as `@states("thm-x")`."""

    label: str
    name: str  # Class::method for tests, dotted path for the package
    place: Place


def marks(root: Path, folder: str, decorator: str, problems: list) -> list[Mark]:
    """All labels that a decorator (given by its last words, as "mark.claim") attaches in a folder."""
    found = []
    for file in sorted((root / folder).rglob("*.py")):
        path = file.relative_to(root).as_posix()
        for names, node in definitions(ast.parse(file.read_text("utf8"), path)):
            for call in node.decorator_list:
                function = call.func if isinstance(call, ast.Call) else call
                if not f".{ast.unparse(function)}".endswith(f".{decorator}"):
                    continue
                place = Place(path, call.lineno)
                values = [arg.value for arg in getattr(call, "args", []) if isinstance(arg, ast.Constant)]
                if not values or len(values) != len(call.args) or not all(isinstance(v, str) for v in values):
                    problems.append((place, f"@{decorator} of {'.'.join(names)} must list its labels as strings"))
                    continue
                found += [Mark(value, "::".join(names), place) for value in values]
    return found


def definitions(node, names: tuple = ()) -> Iterator:
    """Every (names, node) of the functions, classes and methods in a module."""
    for child in ast.iter_child_nodes(node):
        if is_definition(child):
            yield (*names, child.name), child
            yield from definitions(child, (*names, child.name))
        elif not isinstance(child, ast.expr):
            yield from definitions(child, names)


# ---------------------------------------------------------------------------------------- the ledger


@dataclass
class Claim:
    """A theorem, lemma, proposition or corollary of the book, and what supports it."""

    label: str
    kind: str
    title: str
    page: Page
    place: Place
    proof: Place | None = None
    cited: bool = False
    experiment: Place | None = None
    tests: list = field(default_factory=list)  # Marks
    stated: list = field(default_factory=list)  # Marks

    @property
    def status(self) -> str:
        proof = "no proof" if self.proof is None else "cited" if self.cited else "proved"
        return ", ".join([proof, "run" if self.experiment else "not run", "tested" if self.tests else "no test"])

    @property
    def complete(self) -> bool:
        return bool(self.proof and self.experiment and self.tests)


@dataclass
class Algorithm:
    """An algorithm box of the book, the objects that implement it and their tests."""

    label: str
    title: str
    page: Page
    place: Place
    summary: list = field(default_factory=list)  # rows (solves, guarantee, cost) of its page's table, as markdown
    objects: list = field(default_factory=list)  # CodeObjects
    tests: list = field(default_factory=list)  # Marks


@dataclass
class Erratum:
    """An entry of the errata and the tests that decide it."""

    name: str
    page: Page
    tests: list = field(default_factory=list)  # Marks


@dataclass
class Ledger:
    """All claims and algorithms by label, what is wrong with them as (place, message), errata, number of exercises."""

    claims: dict
    algorithms: dict
    problems: list
    errata: dict = field(default_factory=dict)  # name -> Erratum
    n_exercises: int = 0

    def report(self, place: Place, message: str) -> None:
        """Enter something that is wrong."""
        self.problems.append((place, message))


def read_ledger(root: Path) -> Ledger:
    """The ledger of the project folder `root`."""
    pages = read_pages(root)
    ledger = Ledger({}, {}, [problem for page in pages for problem in page.problems])
    ledger.n_exercises = sum(box.name == "exercise" for page in pages for box in page.of(Box))
    check_unique(pages, ledger)
    for page in pages:
        collect_boxes(page, ledger)
        collect_errata(page, ledger)
    for page in pages:
        collect_proofs(page, ledger)
        collect_experiments(page, ledger)
        collect_summaries(page, ledger)
        collect_implementations(root, page, ledger)
    collect_marks(root, ledger)
    report_missing(ledger)
    return ledger


def check_unique(pages: list[Page], ledger: Ledger) -> None:
    """Report a label that stands twice."""
    first: dict = {}
    for page in pages:
        for label, _, place in labels(page):
            if label in first:
                ledger.report(place, f"the label {label} is already used at {first[label]}")
            first.setdefault(label, place)


def collect_boxes(page: Page, ledger: Ledger) -> None:
    """Enter the claims and algorithms of a page."""
    for box in page.of(Box):
        domain, _, kind = box.name.partition(":")
        if domain != "prf" or kind not in PREFIX:
            continue
        if not box.label.startswith(PREFIX[kind]):
            ledger.report(box.place, f"the label of a {kind} starts with {PREFIX[kind]}, got {box.label or 'none'}")
        elif kind in CLAIMS:
            ledger.claims.setdefault(box.label, Claim(box.label, kind, box.argument, page, box.place))
        elif kind == "algorithm":
            ledger.algorithms.setdefault(box.label, Algorithm(box.label, box.argument, page, box.place))


def collect_errata(page: Page, ledger: Ledger) -> None:
    """Enter the errata of a page."""
    for label, _, _ in labels(page):
        if label.startswith("erratum-"):
            name = label.removeprefix("erratum-")
            ledger.errata[name] = Erratum(name, page)


def supported_claim(label: str, word: str, place: Place, ledger: Ledger) -> Claim | None:
    """The claim L of a label word-L; a claim-like L that is not in the book is reported."""
    claim = ledger.claims.get(label.removeprefix(word)) if label.startswith(word) else None
    if claim is None and label.startswith(tuple(word + prefix for prefix in CLAIMS.values())):
        ledger.report(place, f"{label}: the book has no claim {label.removeprefix(word)}")
    return claim


def collect_proofs(page: Page, ledger: Ledger) -> None:
    """Find the proofs of a page: dropdowns named proof-L, or cited paragraphs under (proof-L)=."""
    for i, item in enumerate(page.items):
        target = TARGET.match(item.text) if isinstance(item, Line) else None
        label = target["label"] if target else item.label if isinstance(item, Box) else ""
        claim = supported_claim(label, "proof-", item.place, ledger)
        if claim is None:
            continue
        boxes = [k for k, other in enumerate(page.items) if isinstance(other, Box) and other.label == claim.label]
        if not boxes or boxes[0] > i:
            ledger.report(item.place, f"{label} must stand after the box {claim.label} on its page")
        elif target:
            text = paragraph_after(page.items, i)
            if "Proof:" not in text or "{cite" not in text:
                wanted = 'a paragraph with the words "Proof:" and a {cite} role'
                ledger.report(item.place, f"({label})= must be followed by {wanted}")
            else:
                claim.proof, claim.cited = item.place, True
        elif item.name != "dropdown" or not item.body.strip():
            ledger.report(item.place, f"{label} must be a dropdown with a proof in it")
        else:
            claim.proof = item.place


def paragraph_after(items: list, i: int) -> str:
    """The text of the paragraph after the target at position i."""
    texts = []
    for item in items[i + 1 :]:
        if not isinstance(item, Line) or (texts and not item.text.strip()):
            break
        if item.text.strip() and not TARGET.match(item.text):
            texts.append(item.text)
    return " ".join(texts)


def collect_experiments(page: Page, ledger: Ledger) -> None:
    """Give each claim with a target (run-L)= its experiment: the asserting code cells that follow."""
    waiting: dict = {}  # claim label -> (claim, place of its target)
    for item in page.items:
        if isinstance(item, Code):
            if ASSERTS.search(item.source):
                for claim, place in waiting.values():
                    claim.experiment = claim.experiment or place
            continue
        target = TARGET.match(item.text) if isinstance(item, Line) else None
        claim = supported_claim(target["label"], "run-", item.place, ledger) if target else None
        is_claim_box = isinstance(item, Box) and item.label in ledger.claims
        if claim or is_claim_box:
            waiting = {k: v for k, v in waiting.items() if v[1].cell == item.place.cell}
        if claim:
            waiting[claim.label] = (claim, item.place)


def collect_summaries(page: Page, ledger: Ledger) -> None:
    """Give each algorithm the rows of its own page's summary table that refer to it."""
    in_table = False
    for line in page.of(Line):
        cells = [cell.strip() for cell in line.text.strip().strip("|").split("|")]
        in_table = cells == SUMMARY_HEAD or (in_table and line.text.startswith("|"))
        if not in_table or len(cells) != len(SUMMARY_HEAD):
            continue
        for match in ROLE.finditer(cells[0]):
            algorithm = ledger.algorithms.get(match["text"])
            if algorithm and algorithm.page is page:
                algorithm.summary.append(tuple(cells[1:]))


def collect_implementations(root: Path, page: Page, ledger: Ledger) -> None:
    """Resolve every code block with an object and attach it to its algorithm."""
    for box in page.of(Box):
        dotted, label = box.options.get("object"), box.options.get("algorithm", "")
        if box.name != "code-block" or dotted is None:
            continue
        if label and label not in ledger.algorithms:
            ledger.report(box.place, f"object {dotted}: the book has no algorithm {label}")
        try:
            found = find_object(root, dotted)
        except LookupError as error:
            ledger.report(box.place, f"object {error.args[0]}")
            continue
        if label in ledger.algorithms:
            ledger.algorithms[label].objects.append(found)


def collect_marks(root: Path, ledger: Ledger) -> None:
    """Attach the marks of the tests and of the package to claims and algorithms."""
    sources = [
        ("tests", "mark.claim", ledger.claims, "tests", "claim"),
        ("tests", "mark.algorithm", ledger.algorithms, "tests", "algorithm"),
        ("tests", "mark.erratum", ledger.errata, "tests", "erratum"),
        ("mlcourse", "states", ledger.claims, "stated", "claim"),
    ]
    for folder, decorator, entries, attribute, kind in sources:
        for mark in marks(root, folder, decorator, ledger.problems):
            if mark.label not in entries:
                ledger.report(mark.place, f"{mark.name}: the book has no {kind} {mark.label}")
            elif folder == "tests" and not mark.name.split("::")[-1].startswith(("test", "Test")):
                ledger.report(mark.place, f"{mark.name} is marked but is not a test")
            else:
                getattr(entries[mark.label], attribute).append(mark)


def report_missing(ledger: Ledger) -> None:
    """Report every claim and algorithm that lacks something."""
    for claim in ledger.claims.values():
        lacks = {
            f"no proof (a dropdown with :name: proof-{claim.label} after it)": claim.proof,
            f"no experiment (a target (run-{claim.label})= before a cell that asserts)": claim.experiment,
            f'no test marked @pytest.mark.claim("{claim.label}")': claim.tests,
        }
        report_lacks(claim, lacks, ledger)
    for algorithm in ledger.algorithms.values():
        lacks = {
            f"no row with {{prf:ref}}`{algorithm.label}` in a table | {' | '.join(SUMMARY_HEAD)} |": algorithm.summary,
            f"no code block with :object: and :algorithm: {algorithm.label}": algorithm.objects,
            f'no test marked @pytest.mark.algorithm("{algorithm.label}")': algorithm.tests,
        }
        report_lacks(algorithm, lacks, ledger)


def report_lacks(entry: Claim | Algorithm, lacks: dict, ledger: Ledger) -> None:
    """Report what an entry should have and has not."""
    for lack, got in lacks.items():
        if not got:
            ledger.report(entry.place, f"{entry.label} has {lack}")
