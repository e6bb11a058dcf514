"""Internal links, anchors, pictures, scripts and styles of a built site that lead nowhere.

python tools/site/check_links.py _build/html
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The ids of a page, and its links with their lines."""

    def __init__(self, path: Path):
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[tuple[int, str]] = []
        self.feed(path.read_text("utf8"))

    def handle_starttag(self, tag, attrs):
        for key, value in attrs:
            if key == "id" or (tag == "a" and key == "name"):
                self.ids.add(value)
            elif key in ("href", "src") and value:
                self.links.append((self.getpos()[0], value))


def broken_links(root: Path) -> list[str]:
    """One line for each broken link; theme templates under ``_static`` are not pages."""
    root = root.resolve()
    paths = [p for p in root.rglob("*.html") if "_static" not in p.relative_to(root).parts]
    pages = {path: Page(path) for path in paths}
    return [
        f"{path.relative_to(root)}:{line}: {link}: {reason}"
        for path, page in pages.items()
        for line, link in page.links
        if (reason := fault(path, link, pages))
    ]


def fault(path: Path, link: str, pages: dict[Path, Page]) -> str | None:
    url = urlsplit(link)
    if url.scheme or url.netloc:
        return None
    target = (path.parent / unquote(url.path)).resolve() if url.path else path
    if target.is_dir():
        target /= "index.html"
    if not target.exists():
        return "no such file"
    if url.fragment and target in pages and unquote(url.fragment) not in pages[target].ids:
        return "no such anchor"
    return None


if __name__ == "__main__":
    found = broken_links(Path(sys.argv[1]))
    sys.exit("\n".join(found) or None)
