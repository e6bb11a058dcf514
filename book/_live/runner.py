"""The small kernel behind the Run buttons: one namespace, the cells in turn, what a cell shows, its errors.

Runs inside the page's Python. ``run`` tells what happens through ``emit(kind, data)``: ``stream`` (name, text),
``display`` (a dictionary from MIME type to data) and ``error`` (text, and the line of the cell where it arose).
"""

import base64
import builtins
import importlib
import io
import linecache
import signal
import sys
import traceback
from concurrent import futures
from importlib.machinery import PathFinder
from types import ModuleType

import live_page
from pyodide.code import CodeRunner

main = ModuleType("__main__")
emit = None  # where the running cell's output goes
scale = 1.0  # pixels of a figure for each of its own: screens differ


def run(cell, code, tell, pixels=1.0):
    """Run the code of one cell; whether it ended without an error."""
    global emit, scale
    emit, scale = tell, pixels
    name = f"<cell {cell}>"
    linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
    sys.modules["__main__"] = main  # as in a script or a notebook: what the reader defines is found there
    try:
        value = CodeRunner(code, filename=name).compile().run(main.__dict__)
        flush()
        if value is not None:
            main.__dict__["_"] = value
            display(value)
        return True
    except KeyboardInterrupt:
        emit("error", {"text": "Stopped.", "line": None})
    except BaseException as error:  # also SystemExit: the page's Python goes on
        flush()
        emit("error", {"text": described(error), "line": line_of(error, name)})
    finally:
        flush()
    return False


def flush():
    """Show what was printed and drawn so far, in this order."""
    sys.stdout.flush()
    sys.stderr.flush()
    show_figures()


def display(*values):
    """Show values as a notebook does: as HTML or Markdown where they offer it, else as text."""
    for value in values:
        emit("display", {mime: data for mime, data in offered(value) if data is not None})


def offered(value):
    if not isinstance(value, type):
        for mime, method in (("text/html", "_repr_html_"), ("text/markdown", "_repr_markdown_")):
            if hasattr(value, method):
                yield mime, getattr(value, method)()
    yield "text/plain", repr(value)


def show_figures(*_, **__):
    """Show and close the open figures; ``plt.show`` is this, and a cell's end."""
    plt = sys.modules.get("matplotlib.pyplot")
    for number in plt.get_fignums() if plt else ():
        figure, picture = plt.figure(number), io.BytesIO()
        figure.savefig(picture, format="png", dpi=figure.dpi * scale, bbox_inches="tight")
        emit("display", {"image/png": base64.b64encode(picture.getvalue()).decode()})
        plt.close(figure)


def described(error):
    """The traceback from the reader's first line on; the frames of this file say nothing to a reader."""
    step = error.__traceback__
    while step and not step.tb_frame.f_code.co_filename.startswith("<cell"):
        step = step.tb_next
    return "".join(traceback.format_exception(type(error), error, step)).rstrip()


def line_of(error, name):
    """The last line of this cell on the way to the error, or None."""
    if isinstance(error, SyntaxError) and error.filename == name:
        return error.lineno
    lines = [step.lineno for step in traceback.extract_tb(error.__traceback__) if step.filename == name]
    return lines[-1] if lines else None


class Late:
    """Finds a package that no cell imports by name: the page fetches it while Python waits."""

    def find_spec(self, name, path=None, target=None):
        if path is None and live_page.provideNow(name):
            importlib.invalidate_caches()
            return PathFinder.find_spec(name)
        return None


class AtOnce(futures.Executor):
    """In place of threads and processes, which a page cannot start: work is done when it is handed in."""

    def __init__(self, *args, **kwargs):
        pass

    def submit(self, work, /, *args, **kwargs):
        future = futures.Future()
        try:
            future.set_result(work(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def set_timer(which, seconds, interval=0.0):
    """``signal.setitimer``, which the browser's Python lacks: the time limit of a check needs it."""
    return tuple(live_page.setTimer(seconds, interval))


def no_input(prompt=""):
    raise RuntimeError("input() cannot ask on this page; write the value into the cell instead")


builtins.display = display
builtins.input = no_input
signal.setitimer = set_timer
futures.ThreadPoolExecutor = futures.ProcessPoolExecutor = AtOnce
sys.meta_path.append(Late())
