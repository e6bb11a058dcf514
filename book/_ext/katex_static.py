r"""Sphinx extension: formulas become HTML and MathML at build time, with KaTeX in Node.

Pages then carry no maths script, only ``katex.min.css`` and its fonts, both served from the site.
A formula that KaTeX cannot parse is a Sphinx warning with its place, so ``-W`` fails the build.
Where KaTeX cannot be had (no Node, no way to npm) the pages fall back to MathJax, served from the
site too, out of the package ``sphinx-mathjax-offline``.  ``COURSE_MATHS=mathjax`` asks for that.
"""

import importlib.util
import json
import os
import re
import shutil
import subprocess
from functools import lru_cache
from pathlib import Path

from docutils import nodes
from npm_package import NotAvailable, package
from npm_package import node as node_program
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

logger = logging.getLogger(__name__)
VERSION = "0.16.22"
INTEGRITY = "sha512-XCHRdUw4lf3SKBaJe4EvgqIuWwkPSo9XoeO8GjQW94Bp7TWv9hNhzZjZ+OH9yf1UmLygb7DIT5GSFQiyt16zYg=="
# Sphinx numbers equations; KaTeX must not number these environments again.
NUMBERED = re.compile(r"\\(begin|end)\{(align|gather|equation|alignat)\}")
FONT_FALLBACKS = re.compile(r',url\([^)]*\.(?:woff|ttf)\) format\("(?:woff|truetype)"\)')


class KaTeX:
    """One Node process that answers one line of JSON with another."""

    def __init__(self, folder: Path, macros: dict[str, str]):
        self.folder = folder
        self.macros = macros
        self.process = None
        self.render = lru_cache(maxsize=None)(self._render)

    def _render(self, tex: str, display: bool) -> dict[str, str]:
        if self.process is None:
            script = Path(__file__).with_suffix(".js")
            command = [node_program(), str(script), str(self.folder / "dist" / "katex.min.js")]
            pipe = subprocess.PIPE
            self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, encoding="utf8")
        options = {"displayMode": display, "throwOnError": True, "strict": "ignore", "macros": self.macros}
        self.process.stdin.write(json.dumps({"tex": tex, "options": options}) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def stop(self) -> None:
        if self.process:
            self.process.stdin.close()
            self.process.wait()
            self.process = None


# --- choosing the renderer -----------------------------------------------------------------------


def choose(app: Sphinx, config) -> None:
    """Use KaTeX if it can be had, else MathJax."""
    app.katex = None
    try:
        if os.environ.get("COURSE_MATHS") == "mathjax":
            raise NotAvailable("COURSE_MATHS=mathjax")
        app.katex = KaTeX(package("katex", VERSION, INTEGRITY), dict(config.katex_macros))
        config.html_math_renderer = "katex_static"
    except NotAvailable as reason:
        logger.info("maths: KaTeX is not available (%s); the pages use MathJax instead", reason)
        config.html_math_renderer = "mathjax"
        config.mathjax_path = "mathjax/tex-chtml-full.js"
        config.mathjax3_config = {"tex": {"macros": mathjax_macros(config.katex_macros)}}


def mathjax_macros(macros: dict[str, str]) -> dict:
    """The same macros as MathJax wants them: no backslash, the number of arguments said."""
    counts = {name: max(map(int, re.findall(r"#(\d)", body)), default=0) for name, body in macros.items()}
    return {n.lstrip("\\"): [body, counts[n]] if counts[n] else body for n, body in macros.items()}


# --- writing formulas ----------------------------------------------------------------------------


def markup(self, node, tex: str, display: bool) -> str:
    answer = self.builder.app.katex.render(tex, display)
    if "error" in answer:
        logger.warning("%s", answer["error"], location=node)
        return f"<code>{self.encode(tex)}</code>"
    return answer["html"]


def visit_math(self, node) -> None:
    self.body.append(self.starttag(node, "span", "", CLASS="math notranslate nohighlight"))
    self.body.append(markup(self, node, node.astext(), False) + "</span>")
    raise nodes.SkipNode


def visit_math_block(self, node) -> None:
    self.body.append(self.starttag(node, "div", CLASS="math notranslate nohighlight"))
    self.body.append(markup(self, node, NUMBERED.sub(r"\\\1{\2*}", node.astext()), True))
    if node["number"]:
        self.body.append(f'<span class="eqno">({get_node_equation_number(self, node)})')
        self.add_permalink_ref(node, "Link to this equation")
        self.body.append("</span>")
    self.body.append("</div>\n")
    raise nodes.SkipNode


# --- files the pages load ------------------------------------------------------------------------


def add_style(app: Sphinx) -> None:
    if app.katex:
        app.add_css_file("katex/katex.min.css")


def copy_files(app: Sphinx, error) -> None:
    if app.katex:
        app.katex.stop()
    if error or app.builder.format != "html":
        return
    static = Path(app.outdir) / "_static"
    if app.katex:
        copy_katex(app.katex.folder, static / "katex")
    else:
        copy_mathjax(static / "mathjax")


def copy_katex(package_folder: Path, target: Path) -> None:
    """Copy the style sheet, only the woff2 fonts, and the licence."""
    (target / "fonts").mkdir(parents=True, exist_ok=True)
    style = (package_folder / "dist" / "katex.min.css").read_text("utf8")
    (target / "katex.min.css").write_text(FONT_FALLBACKS.sub("", style), "utf8")
    shutil.copy2(package_folder / "LICENSE", target)
    for font in (package_folder / "dist" / "fonts").glob("*.woff2"):
        shutil.copy2(font, target / "fonts")


def copy_mathjax(target: Path) -> None:
    spec = importlib.util.find_spec("sphinx-mathjax-offline")  # its hyphens rule out an import statement
    source = Path(spec.origin).parent / "static" / "mathjax"
    fonts = "output/chtml/fonts/woff-v2"
    shutil.copytree(source / fonts, target / fonts, dirs_exist_ok=True)
    shutil.copy2(source / "tex-chtml-full.js", target)


def setup(app: Sphinx) -> dict:
    app.add_config_value("katex_macros", {}, "env")
    app.add_html_math_renderer("katex_static", (visit_math, None), (visit_math_block, None))
    app.connect("config-inited", choose, priority=400)
    app.connect("builder-inited", add_style)
    app.connect("build-finished", copy_files)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": False}
