"""How the pages get their Python, without a browser; `make test-site` runs cells in the pages themselves."""

import gzip
import hashlib
import json
import sys
import threading
import zipfile
from pathlib import Path
from types import SimpleNamespace
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

TOP = Path(__file__).parents[2]
sys.path += [str(TOP / "book" / "_ext"), str(TOP / "tools")]

import live  # noqa: E402
import pyodide_runtime  # noqa: E402
import serve  # noqa: E402
from npm_package import NotAvailable  # noqa: E402

CELL = '<html><head><title>t</title></head><body><div class="cell_input docutils container"></div></body></html>'
PLAIN = "<html><head></head><body><p>words</p></body></html>"


# --- the wheel -----------------------------------------------------------------------------------


@pytest.mark.parametrize("package", live.OURS)
def test_a_wheel_is_the_package_of_this_checkout(package, tmp_path):
    (tmp_path / "again").mkdir()
    wheel, again = live.build_wheel(package, tmp_path), live.build_wheel(package, tmp_path / "again")
    assert wheel.read_bytes() == again.read_bytes()
    with zipfile.ZipFile(wheel) as archive:
        contents = {name: archive.read(name) for name in archive.namelist() if ".dist-info/" not in name}
    ours = [path for path in (TOP / package).rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    assert contents == {path.relative_to(TOP).as_posix(): path.read_bytes() for path in ours}


def test_a_pack_holds_the_files_of_its_wheel(tmp_path):
    wheel = live.build_wheel("mlcourse_homework", tmp_path)
    pyodide_runtime.pack(wheel, tmp_path)
    body = gzip.decompress((tmp_path / pyodide_runtime.packed(wheel.name)).read_bytes())
    at = 4 + int.from_bytes(body[:4], "little")
    with zipfile.ZipFile(wheel) as archive:
        for name, size in json.loads(body[4:at]):
            assert body[at : at + size] == archive.read(name)
            at += size
    assert at == len(body)


# --- where the runtime comes from ----------------------------------------------------------------


def test_a_file_is_taken_only_with_its_sum(tmp_path, monkeypatch):
    right, wrong = tmp_path / "right", tmp_path / "wrong"
    for folder, text in ((right, b"the wheel"), (wrong, b"another wheel")):
        folder.mkdir()
        (folder / "x.whl").write_bytes(text)
    total = hashlib.sha256(b"the wheel").hexdigest()

    def carrier(name):
        return (right / name).read_bytes()

    monkeypatch.setattr(pyodide_runtime, "SOURCES", [pyodide_runtime.distribution, carrier])
    for place in (str(right), str(wrong), str(tmp_path / "absent"), right.as_uri()):
        monkeypatch.setenv("MLCOURSE_PYODIDE", place)
        assert pyodide_runtime.fetched("x.whl", total) == b"the wheel"
    monkeypatch.delenv("MLCOURSE_PYODIDE")
    assert pyodide_runtime.fetched("x.whl", total) == b"the wheel"
    monkeypatch.setattr(pyodide_runtime, "SOURCES", [pyodide_runtime.distribution])
    monkeypatch.setenv("MLCOURSE_PYODIDE", str(wrong))
    with pytest.raises(NotAvailable, match=f"sha256 .* instead of {total}"):
        pyodide_runtime.fetched("x.whl", total)


def test_the_packages_are_the_wanted_ones_with_what_they_need():
    lock = dict.fromkeys(["numpy", "pillow", "fonttools", "pandas"], [])
    lock |= {"scipy": ["numpy"], "matplotlib": ["Pillow", "fonttools", "numpy"]}
    found = pyodide_runtime.closure({name: {"depends": depends} for name, depends in lock.items()})
    assert sorted(found) == ["matplotlib", "numpy", "pillow", "scipy"]


# --- the pages -----------------------------------------------------------------------------------


def test_the_script_is_added_once_and_only_where_there_are_cells(tmp_path):
    page, plain = tmp_path / "book" / "homework" / "a.html", tmp_path / "b.html"
    page.parent.mkdir(parents=True)
    page.write_text(CELL)
    plain.write_text(PLAIN)
    for version in ("111", "111", "222"):
        for each in (page, plain):
            live.add_script(each, tmp_path, version, 43)
    html = page.read_text()
    assert html.count("<script") == 1 and 'src="../../_static/live/live.js?222"' in html
    assert 'data-page="book/homework/a"' in html and plain.read_text() == PLAIN
    live.add_script(page, tmp_path, "", 0)
    assert page.read_text() == CELL


def test_without_a_runtime_the_site_is_whole_and_the_build_says_so(tmp_path, monkeypatch):
    said = []

    def nothing(*_):
        raise NotAvailable("no way to the registry")

    (tmp_path / "a.html").write_text(CELL)
    monkeypatch.setattr(live, "runtime", nothing)
    monkeypatch.setattr(live.logger, "info", lambda text, *values: said.append(text % values))
    builder, config = SimpleNamespace(format="html"), SimpleNamespace(katex_macros={})
    app = SimpleNamespace(builder=builder, outdir=tmp_path, katex=None, config=config)
    live.finish(app, None)
    assert (tmp_path / "a.html").read_text() == CELL and not (tmp_path / "_static").exists()
    assert len(said) == 1 and "NO RUN BUTTONS: no way to the registry" in said[0]


# --- the server ----------------------------------------------------------------------------------


def test_the_server_compresses_and_lets_pages_share_memory(tmp_path):
    (tmp_path / "a.html").write_text("words " * 1000)
    (tmp_path / "x.whl").write_bytes(b"PK")
    with serve.server(0, tmp_path) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        base = f"http://127.0.0.1:{running.server_port}/"
        with urlopen(Request(base + "a.html", headers={"Accept-Encoding": "gzip"})) as answer:
            body, headers = answer.read(), answer.headers
        assert headers["Content-Encoding"] == "gzip" and len(body) < 200
        assert gzip.decompress(body).decode() == "words " * 1000
        assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
        assert headers["Cross-Origin-Embedder-Policy"] == "require-corp"
        with urlopen(base + "a.html") as answer:
            assert answer.read().decode() == "words " * 1000
        with urlopen(Request(base + "x.whl", headers={"Accept-Encoding": "gzip"})) as answer:
            assert answer.read() == b"PK" and answer.headers["Content-Encoding"] is None
        with pytest.raises(HTTPError) as refused:
            urlopen(base + "../../etc/passwd")
        refused.value.close()
        assert refused.value.code == 404
        running.shutdown()
