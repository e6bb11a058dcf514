"""Every claim has a proof, an experiment and a test, every algorithm its code; planted books show it."""

import nbformat
import pytest
from book_sources import Box, find_object, labels, read_ledger, read_pages, references

THEOREM = "```{prf:theorem} Sum of squares\n:label: thm-sum\n\nThe claim.\n```"
PROOF = "```{dropdown} Proof\n:name: proof-thm-sum\n\nObvious.\n```"
RUN = "(run-thm-sum)=\nWe run it."
ALGORITHM = "```{prf:algorithm} Sum\n:label: alg-sum\n\n1. Add.\n```"
SHOWN = "```{code-block} python\n:object: mlcourse.sums.total\n:algorithm: alg-sum\n```"
SUMMARY = (
    "| algorithm | solves | guarantee | cost |\n|---|---|---|---|\n| sum, {prf:ref}`alg-sum` | adding | exact | $m$ |\n"
)
ASSERT = ("code", "assert 1 + 1 == 2")
CELLS = [THEOREM, PROOF, RUN, ASSERT, ALGORITHM, SHOWN, SUMMARY]
TEST = """import pytest


@pytest.mark.claim("thm-sum")
@pytest.mark.algorithm("alg-sum")
def test_sum():
    pass
"""
PACKAGE = '''@states("thm-sum")
@cached
def total(x):
    """The sum.

    Of numbers.
    """

    return sum(x)


class Sum:
    """A sum."""

    def _fit(self, X):
        self.total_ = X.sum()
        return self
'''


def notebook(cells):
    """The text of a notebook with markdown cells (strings) and code cells ("code", source)."""
    nb = nbformat.v4.new_notebook(
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}, "language_info": {"name": "python"}}
    )
    for cell in cells:
        if isinstance(cell, str):
            nb.cells.append(nbformat.v4.new_markdown_cell(cell))
        else:
            nb.cells.append(nbformat.v4.new_code_cell(cell[1], execution_count=1))
    return nbformat.writes(nb)


def files(cells=CELLS, test=TEST, package=PACKAGE, **more):
    """A small complete project."""
    return {"book/sums.ipynb": notebook(cells), "tests/test_sums.py": test, "mlcourse/sums.py": package, **more}


def messages(folder):
    """The problems of a project, one per line."""
    return "\n".join(f"{place}: {message}" for place, message in read_ledger(folder).problems)


def test_the_book_is_complete(root):
    found = messages(root)
    assert not found, found


def test_a_complete_project_has_no_problem(project):
    ledger = read_ledger(project(files()))
    assert ledger.problems == []
    claim, algorithm = ledger.claims["thm-sum"], ledger.algorithms["alg-sum"]
    assert (claim.title, claim.status) == ("Sum of squares", "proved, run, tested")
    assert [mark.name for mark in claim.tests + claim.stated + algorithm.tests] == ["test_sum", "total", "test_sum"]
    assert [found.path for found in algorithm.objects] == ["mlcourse/sums.py"]
    assert algorithm.summary == [("adding", "exact", "$m$")]


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ([THEOREM, RUN, ASSERT], "thm-sum has no proof"),
        ([PROOF, THEOREM, RUN, ASSERT], "must stand after the box"),
        ([THEOREM, PROOF.replace("Obvious.", ""), RUN, ASSERT], "must be a dropdown with a proof"),
        ([THEOREM, PROOF.replace("dropdown", "note"), RUN, ASSERT], "must be a dropdown with a proof"),
        ([THEOREM, "(proof-thm-sum)=\nProof: well known.", RUN, ASSERT], "a {cite} role"),
        ([THEOREM, PROOF, ASSERT], "thm-sum has no experiment"),
        ([THEOREM, PROOF, ASSERT, RUN], "thm-sum has no experiment"),
        ([THEOREM, PROOF, RUN, ("code", "1 + 1  # no assert")], "thm-sum has no experiment"),
        (
            [THEOREM, PROOF, RUN, ("code", "1"), "```{prf:lemma}\n:label: lem-b\n```", ASSERT],
            "thm-sum has no experiment",
        ),
        ([THEOREM, PROOF, RUN, "(run-thm-other)=\nIt.", ASSERT], "no claim thm-other"),
        ([THEOREM, PROOF, RUN, ASSERT, THEOREM], "the label thm-sum is already used at book/sums.ipynb, cell 1"),
        ([THEOREM, PROOF, RUN, ASSERT, "$$\na\n$$ (thm-sum)"], "the label thm-sum is already used"),
        ([THEOREM.replace("thm-sum", "sum")], "the label of a theorem starts with thm-, got sum"),
        (["```{prf:definition} Sum\n```"], "the label of a definition starts with def-, got none"),
        ([THEOREM.removesuffix("```")], "never closed"),
        ([ALGORITHM], "alg-sum has no code block with :object:"),
        ([ALGORITHM, SHOWN], "alg-sum has no row with {prf:ref}`alg-sum` in a table | algorithm | solves |"),
        ([ALGORITHM, SHOWN, SUMMARY.replace("solves", "does")], "alg-sum has no row"),
        ([ALGORITHM, SHOWN, SUMMARY.replace("alg-sum", "alg-mean")], "alg-sum has no row"),
        ([ALGORITHM, SHOWN.replace("sums.total", "sums.mean")], "mlcourse/sums.py defines no mean"),
        ([ALGORITHM, SHOWN.replace("sums.total", "products.total")], "there is no module mlcourse.products"),
        ([ALGORITHM, SHOWN.replace("alg-sum", "alg-mean")], "the book has no algorithm alg-mean"),
    ],
)
def test_what_a_page_lacks_is_reported(project, cells, message):
    assert message in messages(project(files(cells)))


@pytest.mark.parametrize(
    ("test", "message"),
    [
        ("", "thm-sum has no test"),
        ("", "alg-sum has no test"),
        (TEST.replace("thm-sum", "thm-product"), "test_sum: the book has no claim thm-product"),
        (TEST.replace("alg-sum", "alg-product"), "test_sum: the book has no algorithm alg-product"),
        (TEST.replace("def test_sum", "def helper"), "helper is marked but is not a test"),
        (TEST.replace('"thm-sum"', "LABEL"), "must list its labels as strings"),
        (TEST.replace('("thm-sum")', ""), "must list its labels as strings"),
    ],
)
def test_what_the_tests_lack_is_reported(project, test, message):
    assert message in messages(project(files(test=test)))


def test_a_test_of_an_erratum_names_an_entry(project):
    errata = {"book/errata.md": "# Errata\n\n(erratum-EA1)=\n**EA1** · sum\n"}
    marked = TEST.replace("def test_sum", '@pytest.mark.erratum("EA1")\ndef test_sum')
    entry = read_ledger(project(files(test=marked, **errata))).errata["EA1"]
    assert [mark.name for mark in entry.tests] == ["test_sum"]
    assert "the book has no erratum EA2" in messages(project(files(test=marked.replace("EA1", "EA2"), **errata)))


def test_a_bound_that_states_no_claim_is_reported(project):
    found = messages(project(files(package=PACKAGE.replace("thm-sum", "thm-product"))))
    assert "mlcourse/sums.py, line 1: total: the book has no claim thm-product" in found


def test_a_cited_proof_counts_and_is_said_to_be_cited(project):
    cited = THEOREM.replace("The claim.", "The claim.\n\n(proof-thm-sum)=\nProof: {cite:p}`euler`.")
    for cells in ([cited, RUN, ASSERT], [THEOREM, "(proof-thm-sum)=\n\nProof: see\n{cite}`euler`.", RUN, ASSERT]):
        folder = project(files([*cells, ALGORITHM, SHOWN, SUMMARY]))
        assert messages(folder) == ""
        assert read_ledger(folder).claims["thm-sum"].status == "cited, run, tested"


def test_one_experiment_may_serve_several_claims_and_take_several_cells(project):
    other = [text.replace("thm-sum", "thm-two") for text in (THEOREM, PROOF)]
    runs = RUN.replace("\n", "\n(run-thm-two)=\n", 1)
    cells = [THEOREM, PROOF, *other, runs, ("code", "x = 1"), "Then:", ("code", "np.testing.assert_allclose(1, 1)")]
    folder = project(files([*cells, ALGORITHM, SHOWN, SUMMARY], TEST.replace('"thm-sum"', '"thm-sum", "thm-two"')))
    assert messages(folder) == ""


def test_fences_nest_and_code_is_not_markdown(project):
    page = """# A page

`````{prf:theorem} Bound for `x`, $|x|$
---
label: thm-a
---
::::{note}
```{prf:definition} In the note
:label: def-a
```
::::
````python
```{prf:theorem} only code
:label: thm-code
```
(target-in-code)=
````
`````

:::{figure} a.svg
:name: fig-a
:alt: A line.
:::

% (commented)=
Write ``{ref}`not-a-reference` `` or {prf:ref}`thm-a`, {ref}`the figure <fig-a>` and {cite:t}`one, two`.
"""
    (parsed,) = read_pages(project({"book/page.md": page, "book/_ext/hidden.md": "(hidden)="}))
    assert parsed.problems == []
    assert [(label, kind) for label, kind, _ in labels(parsed)] == [
        ("thm-a", "prf"),
        ("def-a", "prf"),
        ("fig-a", "name"),
    ]
    boxes = parsed.of(Box)
    assert boxes[0].argument == "Bound for `x`, $|x|$"
    assert (boxes[2].inside, boxes[2].place.line) == (("prf:theorem", "note"), 8)
    assert [reference[:2] for reference in references(parsed)] == [
        ("prf:ref", "thm-a"),
        ("ref", "fig-a"),
        ("cite:t", "one"),
        ("cite:t", "two"),
    ]


def test_shown_lines_keep_decorators_and_lose_docstrings(project):
    folder = project(files())
    lines = PACKAGE.splitlines()

    def shown(dotted):
        return [lines[n - 1] for n in find_object(folder, dotted).lines]

    assert shown("mlcourse.sums.total") == ['@states("thm-sum")', "@cached", "def total(x):", "    return sum(x)"]
    assert shown("mlcourse.sums.Sum._fit")[0] == "    def _fit(self, X):"
    assert shown("mlcourse.sums.Sum")[1] == "    def _fit(self, X):"
    assert find_object(folder, "mlcourse.sums.total").line_spec == "1-3,9"
    for wrong in ("mlcourse.sums.Sum._score", "mlcourse.sums", "mlcourse", "sums total", ""):
        with pytest.raises(LookupError):
            find_object(folder, wrong)


CONF = """
import sys
sys.path.insert(0, EXTENSIONS)
extensions = ["myst_nb", "sphinx_proof", "sphinx_design", "ledger"]
exclude_patterns = ["_build", "jupyter_execute"]
nb_execution_mode = "off"
root_doc = "book/index"
"""
INDEX = "# Book\n\n```{toctree}\nsums\n```\n\n```{verification}\n```\n\n```{algorithm-index}\n```\n"


def test_the_build_writes_both_tables_and_follows_the_sources(project, build, root):
    settings = {"conf.py": CONF.replace("EXTENSIONS", repr(str(root / "book" / "_ext"))), "book/index.md": INDEX}
    folder = project(files(["# Sums", *CELLS], **settings))
    assert build() == (0, "")
    index, page = ((folder / "_build/book" / name).read_text("utf8") for name in ("index.html", "sums.html"))
    for wanted in (
        'href="sums.html#thm-sum"',
        'href="sums.html#proof-thm-sum"',
        'href="sums.html#run-thm-sum"',
        "tests/test_sums.py::test_sum",
        "proved, run, tested",
        "1 of 1 complete",
        'href="sums.html#alg-sum"',
        "mlcourse/sums.py",
        "adding",
    ):
        assert wanted in index
    assert 'id="proof-thm-sum"' in page and 'id="run-thm-sum"' in page
    assert "@cached" in page and "Of numbers." not in page

    unmarked, renamed = (TEST.replace('@pytest.mark.claim("thm-sum")\n', ""), PACKAGE.replace("def total", "def mean"))
    project({"tests/test_sums.py": unmarked, "mlcourse/sums.py": renamed})
    code, said = build()
    assert code != 0 and "WARNING: book/sums.ipynb, cell 2, line 1: thm-sum has no test" in said
    assert "mlcourse/sums.py defines no total" in said
