"""The parts of the book machine that work without a built site; `make test-site` tests the site itself."""

import sys
import tarfile
from pathlib import Path

import pytest
from docutils import nodes
from docutils.utils import new_document
from sphinx_design.dropdown import dropdown_title

TOP = Path(__file__).parents[2]
sys.path += [str(TOP / "book" / "_ext"), str(TOP / "tools" / "site")]

import course_site  # noqa: E402
import katex_static  # noqa: E402
import npm_package  # noqa: E402
from check_links import broken_links  # noqa: E402


@pytest.mark.parametrize(
    "html",
    [
        '<script src="https://example.org/x.js"></script>',
        '<img alt="a plot" src="//example.org/x.png">',
        '<link href="https://example.org/x.css" rel="stylesheet">',
        '<img src="x.png">',
        '<img alt="" src="x.png">',
        '<img alt="../_images/0a1b.png" src="../_images/0a1b.png">',
    ],
)
def test_a_faulty_page_is_reported(html):
    assert len(course_site.faults(html)) == 1


def test_a_sound_page_is_not_reported():
    link, plot, script = '<a href="https://example.org">a</a>', '<img alt="A plot." src="a.png">', '<script src="a.js">'
    assert course_site.faults(link + plot + script) == []


def test_what_directives_make_is_mended():
    link = nodes.reference("", "", nodes.Text(" Exercise 1"), refuri="#e")
    text = nodes.paragraph("", "", nodes.math("", "x"), nodes.Text("). Then "), nodes.math("", "y"), nodes.Text(" or"))
    page = nodes.section("", nodes.title("", "", nodes.Text("Solution to"), link), text, ids=["here", "proof-content"])
    page += dropdown_title("", "", nodes.Text("Proof of "), nodes.reference("", "T", refuri="#t"))
    doctree = new_document("page")
    doctree += page
    for _ in range(2):
        course_site.mend(None, doctree, "page")
        assert (
            page["ids"] == ["here"] and page[0].astext() == "Solution to Exercise 1" and link.astext() == "Exercise 1"
        )
        assert [part.astext() for part in text] == ["x).", " Then ", "y", " or"] and text[0]["classes"] == ["nobreak"]
        assert page[2].astext() == "Proof of T" and not list(page[2].findall(nodes.reference))


def test_broken_links_are_found(tmp_path):
    a = '<p id="here"><a href="b.html#there">1</a><a href="#here">2</a><a href="c.html">3</a>'
    b = '<a href="a.html#here">1</a><a href="https://example.org/x">2</a><img src="x.png">'
    (tmp_path / "a.html").write_text(a)
    (tmp_path / "b.html").write_text(b)
    assert sorted(broken_links(tmp_path)) == [
        "a.html:1: b.html#there: no such anchor",
        "a.html:1: c.html: no such file",
        "b.html:1: x.png: no such file",
    ]


def test_a_package_with_the_wrong_checksum_is_refused(tmp_path, monkeypatch):
    def download(spec, scratch):
        (scratch / "index.js").write_text("other code")
        with tarfile.open(scratch / "x.tgz", "w:gz") as tar:
            tar.add(scratch / "index.js", "package/index.js")
        return scratch / "x.tgz"

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(npm_package, "_download", download)
    with pytest.raises(npm_package.NotAvailable, match="checksum"):
        npm_package.package("x", "1.0.0", "sha512-AAAA")
    assert list((tmp_path / "mlcourse").iterdir()) == []


def test_macros_for_mathjax():
    macros = {r"\RR": r"\mathbb{R}", r"\norm": r"\lVert #1\rVert"}
    assert katex_static.mathjax_macros(macros) == {"RR": r"\mathbb{R}", "norm": [r"\lVert #1\rVert", 1]}
