"""Sphinx extension: the built pages are light, self-contained and accessible.

Before a page is written it mends what directives have made of it, says what the page is about, and shows docstrings as
they are written: bars as bars, glossaries line by line. After the pages are written it
* makes ``index.html`` lead to the first page;
* cuts the theme's icon fonts down to the icons in use and drops its icon script (540 KB compressed);
* repairs the accessibility faults of the theme's templates that axe-core reports;
* shrinks the plots, and says the size of each so that nothing jumps while it loads;
* warns (an error under ``-W``) if a page loads something from another host or shows a plot without alt text.
"""

import os
import re
import shutil
from html import escape
from logging import getLogger
from pathlib import Path
from textwrap import shorten

import imagesize
from docutils import nodes
from fontTools import subset
from fontTools.ttLib import TTFont
from PIL import Image
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx_design.dropdown import dropdown_title

logger = logging.getLogger(__name__)
getLogger("fontTools").setLevel("WARNING")

# --- icons ---------------------------------------------------------------------------------------

ICON_SCRIPT = re.compile(r"(?:<!-- So that users[\w ]+-->\s*)?<script[^>]*fontawesome\.js[^>]*></script>")
ICON_RULE = re.compile(r"((?:\.fa-[\w-]+(?:::?before)?,?)+)\{(?:content|--fa):\"[^\"]+\"\}")
ICON_FACE = re.compile(r"(@font-face\{[^}]*?src:)url\([./\w]*/webfonts/(fa-[\w-]+)\.woff2\)[^}]*\}")
ICON_NAME = re.compile(r"\bfa-[a-z][\w-]*")
CODE_POINT = re.compile(r"\\([ef][0-9a-f]{3})\b|([\ue000-\uf8ff])")


def trim_icons(html_folder: Path) -> None:
    """Keep, of the theme's style sheet and icon fonts, the icons that a page or a script names."""
    static = html_folder / "_static"
    style = static / "styles" / "pydata-sphinx-theme.css"
    if not (css := style.read_text("utf8")) or "fa-solid-900.woff2" not in css:
        return
    users = [*html_folder.rglob("*.html"), *(p for p in static.rglob("*.js") if p.name != "fontawesome.js")]
    used = {name for path in users for name in ICON_NAME.findall(path.read_text("utf8"))}

    def keep(rule: re.Match) -> str:
        names = re.findall(r"\.(fa-[\w-]+)", rule[1])
        return rule[0] if used.intersection(names) else ""

    css = ICON_RULE.sub(keep, css)
    others = "".join(p.read_text("utf8") for p in static.rglob("*.css") if p != style)
    points = {int(code, 16) if code else ord(char) for code, char in CODE_POINT.findall(css + others)}
    css = ICON_FACE.sub(r'\1url(../icons/\2.woff) format("woff")}', css)
    (static / "icons").mkdir(exist_ok=True)
    for font in (static / "vendor" / "fontawesome" / "webfonts").glob("*.ttf"):
        cut_font(font, points, static / "icons" / f"{font.stem}.woff")
    style.write_text(css, "utf8")
    shutil.rmtree(static / "vendor" / "fontawesome")
    for leftover in {*static.glob("scripts/fontawesome.js*"), *static.rglob("*.map")}:
        leftover.unlink()


def cut_font(source: Path, points: set[int], target: Path) -> None:
    """Write the glyphs of some code points; the name table keeps only copyright and licence."""
    options = subset.Options(flavor="woff", name_IDs=[0, 13, 14], hinting=False, notdef_outline=True)
    font = TTFont(source)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=points)
    cutter.subset(font)
    font.flavor = "woff"
    font.save(target)


# --- pictures ------------------------------------------------------------------------------------


def shrink(picture: Path) -> None:
    """Save an opaque plot with its best 192 colours: a third of the size, and nobody sees the difference."""
    with Image.open(picture) as image:
        if image.mode not in ("RGB", "RGBA") or image.getextrema()[3:] not in ((), ((255, 255),)):
            return
        palette = image.convert("RGB").quantize(192, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    palette.save(picture, optimize=True)


# --- what directives make ------------------------------------------------------------------------

TWICE = {"proof-content", "exercise-content", "solution-content"}  # ids that sphinx-proof and sphinx-exercise repeat
PUNCTUATION = re.compile(r"[.,;:!?)\]\u2019\u201d]+")


def mend(app: Sphinx, doctree, docname: str) -> None:
    """No id twice, no link in the title of a folded box, "Solution to" and a space, no break after a formula."""
    for section in doctree.findall(nodes.section):
        section["ids"] = [name for name in section["ids"] if name not in TWICE]
    for title in doctree.findall(dropdown_title):
        for link in list(title.findall(nodes.reference)):
            link.parent.replace(link, link.children)
    for title in doctree.findall(nodes.title):
        if title.astext().startswith("Solution to ") and not title[0].astext().endswith(" "):
            title[0], title[1][0] = nodes.Text(f"{title[0]} "), nodes.Text(title[1][0].lstrip())
    for formula in list(doctree.findall(nodes.math)):
        after = formula.next_node(descend=False, siblings=True)
        if isinstance(after, nodes.Text) and (mark := PUNCTUATION.match(after)):
            parent, rest = formula.parent, nodes.Text(after[mark.end() :])
            parent.replace(after, rest)
            parent.replace(formula, kept := nodes.inline(classes=["nobreak"]))
            kept += [formula, nodes.Text(mark[0])]


# --- pages ---------------------------------------------------------------------------------------

LOADS = re.compile(
    r"""<(?:script|img|iframe|source|video|audio)\b[^>]*\ssrc=["'](?:https?:)?//[^"']+"""
    r"""|<link\b(?=[^>]*\srel=["'](?:stylesheet|icon|(?:module)?preload)["'])[^>]*\shref=["'](?:https?:)?//[^"']+"""
    r"""|@import\s+url\(["']?(?:https?:)?//[^)]+""",
    re.IGNORECASE,
)
NO_ALT = re.compile(r'<img (?![^>]*\balt=)[^>]*>|<img\b[^>]*\balt="(?:(?:\.\./)*_images/[^"]*)?"[^>]*>')
SEARCH_SCRIPTS = re.compile(
    r'<script src="(?:\.\./)*(?:_static/(?:searchtools|language_data)|searchindex)\.js"></script>\s*'
)
UNSIZED = re.compile(r'(<img(?![^>]*\b(?:width|style)=)[^>]*\bsrc="((?:\.\./)*_images/[^"]*)")')
# what the theme writes, what it should write, and the axe-core rule that says so
COURSE = 'role="complementary" aria-label="Course"'
REPAIRS = {
    'title="Search" aria-label="Search"': 'title="Search"',  # label-content-name-mismatch
    '<summary aria-label="Toggle hidden content">': "<summary>",  # label-content-name-mismatch
    ' aria-label="Color mode" data-bs-title': " data-bs-title",  # label-content-name-mismatch
    '<summary><span class="toctree': '<summary aria-label="Pages below"><span class="toctree',  # summary-name
    ' role="doc-biblioentry"': ' role="listitem"',  # aria-required-children
    'id="pst-primary-sidebar" class': f'id="pst-primary-sidebar" {COURSE} class',  # region
}
WIDE = 1000  # pixels: plots of several panels, which scroll on a phone instead of shrinking


def repair(html: str) -> str:
    """The page with what the templates of the theme should have written."""
    for theirs, ours in REPAIRS.items():
        html = html.replace(theirs, ours)
    return ICON_SCRIPT.sub("", html)


def sized(html: str, page: Path) -> str:
    """The page with the width and height of each picture that comes from ``_images``."""

    def size(img: re.Match) -> str:
        width, height = imagesize.get(page.parent / img[2])
        wide = " data-wide" if width > WIDE else ""
        return f'{img[1]} width="{width}" height="{height}"{wide}' if width > 0 else img[0]

    return UNSIZED.sub(size, html)


def describe(app: Sphinx, pagename: str, templatename: str, context: dict, doctree) -> None:
    """Take the first paragraph after a page's title, without its formulas, as the page's description."""
    section = doctree and doctree.next_node(nodes.section)
    paragraphs = [part for part in section or [] if isinstance(part, nodes.paragraph)]
    if paragraphs:
        words = "".join(t for t in paragraphs[0].findall(nodes.Text) if not isinstance(t.parent, nodes.math))
        text = escape(shorten(words, 160, placeholder=" …"))
        context["metatags"] += f'<meta name="description" content="{text}" />'


def plain_docstring(app: Sphinx, what: str, name: str, obj, options, lines: list[str]) -> None:
    """Bars in a docstring are absolute values, not substitutions; the glossary of letters keeps its lines."""
    lines[:] = [line.replace("|", r"\|") for line in lines]
    if "Letters" in lines:
        start = lines.index("Letters") + 1
        lines[start:] = ["", "::", "", *(line.replace(r"\|", "|") for line in lines[start:])]


def faults(html: str) -> list[str]:
    """What a page must not contain, as sentences."""
    loads = [f"loads from another host: {hit}" for hit in LOADS.findall(html)]
    return loads + [f"no alt text (plots: metadata mystnb.image.alt): {hit}" for hit in NO_ALT.findall(html)]


INDEX = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta http-equiv="refresh" content="0; url={first}"></head>
<body><p><a href="{first}">{title}</a></p></body></html>
"""


def finish(app: Sphinx, error) -> None:
    if error or app.builder.format != "html":
        return
    folder = Path(app.outdir)
    trim_icons(folder)
    for picture in folder.glob("_images/*.png"):
        shrink(picture)
    index = INDEX.format(title=escape(app.config.html_title), first=app.config.master_doc + ".html")
    (folder / "index.html").write_text(index, "utf8")
    for page in folder.rglob("*.html"):
        html = page.read_text("utf8")
        fixed = sized(repair(html), page)
        if page.name != "search.html":  # the only page that searches; the index grows with the book
            fixed = SEARCH_SCRIPTS.sub("", fixed)
        if fixed != html:
            page.write_text(fixed, "utf8")
        for fault in faults(fixed):
            logger.warning("%s: %s", page.relative_to(folder), fault)


def setup(app: Sphinx) -> dict:
    os.environ.setdefault("MLCOURSE_PROGRESS", "off")  # a build of the book is nobody's homework
    app.setup_extension("sphinx.ext.autodoc")
    app.connect("autodoc-process-docstring", plain_docstring)
    app.connect("doctree-resolved", mend)
    app.connect("html-page-context", describe)
    app.connect("build-finished", finish, priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
