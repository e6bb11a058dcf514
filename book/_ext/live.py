"""Sphinx extension: the code cells of a page run in the page, with Python from this site.

After the pages are written it puts beside them, under ``_static/live``, the scripts of ``book/_live``, Python with the
packages it needs (see ``pyodide_runtime``), ``mlcourse`` and ``mlcourse_homework`` as they are in this checkout, and
``manifest.json``, which says what each file is, its size and its checksum. Pages with code cells get the script, which
loads nothing until a reader runs something. Where Python cannot be had, the site is complete without it.
"""

import hashlib
import json
import os
import re
import shutil
import tempfile
import tomllib
import zipfile
from html import escape
from pathlib import Path

from npm_package import NotAvailable
from pyodide_runtime import CORE, VERSION, compile_beside, packed, runtime
from sphinx.application import Sphinx
from sphinx.util import logging

logger = logging.getLogger(__name__)
TOP = Path(__file__).resolve().parents[2]
SCRIPTS = TOP / "book" / "_live"
OURS = {"mlcourse": ["numpy", "scipy"], "mlcourse_homework": ["mlcourse"]}  # a page loads what its cells import
CELL = '<div class="cell_input'
TAGS = re.compile(r"<!--live-->.*?<!--/live-->", re.DOTALL)  # what this extension adds to the head of a page
NOTICE = f"""Python in these pages is Pyodide {VERSION} (Mozilla Public License 2.0, https://pyodide.org).
The wheels are NumPy, SciPy, matplotlib and what they need, each with its licence in its .dist-info folder.
Modules are compiled to bytecode, and what no page can use (tests, headers, f2py) is left out; nothing else is changed.
"""


# --- the wheels of this commit -------------------------------------------------------------------


def build_wheel(package: str, folder: Path) -> Path:
    """Write the wheel of one of our packages as it is in this checkout; the same files give the same bytes."""
    version = tomllib.loads((TOP / "pyproject.toml").read_text("utf8"))["project"]["version"]
    stem = f"{package}-{version}"
    paths = sorted(path for end in ("py", "md", "csv.gz") for path in (TOP / package).rglob(f"*.{end}"))
    files = {path.relative_to(TOP).as_posix(): path.read_bytes() for path in paths}
    files[f"{stem}.dist-info/METADATA"] = f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n".encode()
    files[f"{stem}.dist-info/WHEEL"] = b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files[f"{stem}.dist-info/RECORD"] = b""
    wheel = folder / f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return wheel


# --- what the site serves ------------------------------------------------------------------------


def assemble(target: Path, katex, macros: dict[str, str]) -> dict:
    """Fill ``_static/live`` and return the manifest."""
    python, source = target / "python", runtime()
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(SCRIPTS, target, ignore=shutil.ignore_patterns("__pycache__"))
    if katex:
        place(katex.folder / "dist" / "katex.min.js", target / "katex.min.js")  # for formulas in hints
    packages = json.loads((source / "packages.json").read_text("utf8"))
    for path in source.iterdir():
        if path.name != "packages.json":
            place(path, python / path.name)
    (python / "NOTICE.txt").write_text(NOTICE, "utf8")
    with tempfile.TemporaryDirectory() as scratch:
        for name, depends in OURS.items():
            wheel = build_wheel(name, Path(scratch))
            compile_beside(source, wheel, python)
            packages[name] = {"file": packed(wheel.name), "imports": [name], "depends": depends}
    sums = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(python.iterdir())}
    manifest = {
        "core": CORE,
        "lock": json.loads((source / "pyodide-lock.json").read_text("utf8")),
        "packages": packages,
        "files": {name: {"size": (python / name).stat().st_size, "sum": sums[name][:16]} for name in sums},
        "macros": macros,
    }
    (target / "manifest.json").write_text(json.dumps(manifest, indent=1, sort_keys=True), "utf8")
    return manifest


def place(source: Path, target: Path) -> None:
    """Link the file, or copy it where that is not possible: the runtime is large and never changes."""
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def megabytes(manifest: dict) -> int:
    """What a page loads for a first run of a cell that needs everything."""
    return round(sum(entry["size"] for entry in manifest["files"].values()) / 1e6)


def add_script(page: Path, site: Path, version: str, size: int) -> None:
    """Put the script into the head of a page with code cells, in the place of an older one; none without version."""
    html = page.read_text("utf8")
    fixed = TAGS.sub("", html)
    if CELL in html and version:
        static = os.path.relpath(site / "_static" / "live", page.parent).replace(os.sep, "/")
        name = escape(page.relative_to(site).with_suffix("").as_posix())
        data = f'data-page="{name}" data-version="{version}" data-megabytes="{size}"'
        tags = (
            f'<link rel="stylesheet" href="{static}/live.css?{version}" />'
            f'<script defer src="{static}/live.js?{version}" {data}></script>'
        )
        fixed = fixed.replace("</head>", f"<!--live-->{tags}<!--/live--></head>", 1)
    if fixed != html:
        page.write_text(fixed, "utf8")


def finish(app: Sphinx, error) -> None:
    if error or app.builder.format != "html":
        return
    site, version, size = Path(app.outdir), "", 0
    try:
        if os.environ.get("COURSE_LIVE") == "off":
            raise NotAvailable("COURSE_LIVE=off")
        manifest = assemble(site / "_static" / "live", app.katex, app.config.katex_macros)
        version, size = digest(site), megabytes(manifest)
    except NotAvailable as reason:
        shutil.rmtree(site / "_static" / "live", ignore_errors=True)
        logger.info("NO RUN BUTTONS: %s. The site is complete but for running code in the page.", reason)
    for page in site.rglob("*.html"):
        add_script(page, site, version, size)


def digest(site: Path) -> str:
    """One sum for all that belongs to running code: browsers ask for files anew when it changes."""
    files = sorted(path for path in (site / "_static" / "live").iterdir() if path.is_file())
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:12]


def setup(app: Sphinx) -> dict:
    app.connect("build-finished", finish, priority=800)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
