"""Sphinx extension: figures with controls, drawn at build time from the modules of ``book/figures``.

```{interactive} neighbors
:name: fig-neighbors

The caption, which says what to do and what to look for.
```

becomes a numbered figure: an SVG of the default values, which needs no script, sliders that appear when
``interactive.js`` runs, and the data of the other values, all in the page. Script and style sheet are loaded on pages
that have such a figure and nowhere else.
"""

import sys
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

BOOK = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(BOOK))

import figures  # noqa: E402

logger = logging.getLogger(__name__)


class InteractiveFigure(SphinxDirective):
    """A figure of ``book/figures`` by its name, with its caption as content."""

    required_arguments = 1
    has_content = True
    option_spec = {"name": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        name = self.arguments[0].strip()
        for module in ("__init__", "drawing", name):
            self.env.note_dependency(str(BOOK / "figures" / f"{module}.py"))
        try:
            html = figures.make(name).html(name)
        except LookupError as error:
            logger.warning("%s", error.args[0], location=self.get_location(), type="interactive")
            return []
        figure = nodes.figure("", nodes.raw("", html, format="html"), classes=["has-controls"])
        caption = nodes.caption("", "", *self.caption())
        self.set_source_info(figure)
        self.set_source_info(caption)
        figure += caption
        self.add_name(figure)
        return [figure]

    def caption(self) -> list[nodes.Node]:
        """The content as inline nodes."""
        text = " ".join(line.strip() for line in self.content)
        return self.state.inline_text(text, self.lineno)[0] if text else []


def add_script(app: Sphinx, pagename: str, templatename: str, context: dict, doctree) -> None:
    """Load script and style sheet on a page with a figure."""
    if doctree and any("has-controls" in figure["classes"] for figure in doctree.findall(nodes.figure)):
        app.add_js_file("interactive.js", loading_method="defer")
        app.add_css_file("interactive.css")


def setup(app: Sphinx) -> dict:
    app.add_directive("interactive", InteractiveFigure)
    app.connect("html-page-context", add_script)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
