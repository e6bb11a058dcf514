"""Serve the built site on this machine: python tools/serve.py [port].

Compresses what shrinks, and sends the headers that let a page share memory with its Python, so that stopping a cell
keeps the variables. Any static server will do otherwise.
"""

import gzip
import sys
from functools import lru_cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path

SITE = Path(__file__).resolve().parents[1] / "_build" / "html"
HEADERS = {"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp"}
SHRINKS = {".html", ".css", ".js", ".mjs", ".json", ".svg", ".wasm", ".py"}


@lru_cache(maxsize=1000)
def compressed(path: str, changed: float) -> bytes:
    return gzip.compress(Path(path).read_bytes(), 5)


class Handler(SimpleHTTPRequestHandler):
    extensions_map = SimpleHTTPRequestHandler.extensions_map | {".mjs": "text/javascript", ".wasm": "application/wasm"}

    def send_head(self):
        path = Path(self.translate_path(self.path))
        if path.suffix not in SHRINKS or not path.is_file() or "gzip" not in self.headers.get("Accept-Encoding", ""):
            return super().send_head()
        body = compressed(str(path), path.stat().st_mtime)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        return BytesIO(body)

    def end_headers(self):
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.send_header("Cache-Control", "no-cache")  # the site may be built again: ask, but keep what has not changed
        super().end_headers()

    def log_message(self, *args):
        pass


def server(port: int = 8000, site: Path = SITE) -> ThreadingHTTPServer:
    return ThreadingHTTPServer(("127.0.0.1", port), partial(Handler, directory=str(site)))


if __name__ == "__main__":
    with server(int(sys.argv[1]) if sys.argv[1:] else 8000) as running:
        print(f"http://127.0.0.1:{running.server_port}/ (Ctrl-C ends it)")
        try:
            running.serve_forever()
        except KeyboardInterrupt:
            pass
