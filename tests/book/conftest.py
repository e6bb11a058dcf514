"""The tests of the book read its sources with the same modules as the build."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "book" / "_ext"), str(ROOT / "tools")]


@pytest.fixture
def root():
    """The project folder."""
    return ROOT


@pytest.fixture
def project(tmp_path):
    """A function that writes files (path=text) into an empty project folder and returns the folder."""

    def write(files):
        for path, text in files.items():
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(text, "utf8")
        return tmp_path

    return write


@pytest.fixture
def build(tmp_path):
    """A function that builds the project folder as strictly as the course's book: (exit code, messages)."""

    def run():
        command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", ".", "_build"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    return run
