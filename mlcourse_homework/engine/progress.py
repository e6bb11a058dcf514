"""What a student has done, kept in a small file in the working directory.

The environment variable ``MLCOURSE_PROGRESS`` names another file; ``off`` keeps the progress in memory only. A file
that is not ours, or is damaged, is never written to: the progress then lives as long as Python runs.
"""

import json
import os
import tempfile
from pathlib import Path

FILE, FORMAT = "mlcourse-progress.json", "mlcourse progress 1"
FRESH = {"right": False, "tries": 0, "hints": 0, "solution": False}
try:
    FOLDER = Path.cwd()  # where the student works, wherever an answer may go
except OSError:
    FOLDER = None
_session: dict = {}  # what was done since Python started


def file():
    """The path of the progress file, or None if none is wanted."""
    name = os.environ.get("MLCOURSE_PROGRESS", FILE)
    return None if name == "off" or FOLDER is None else FOLDER / name


def entries():
    """All entries, from the file and from this session, and a sentence on why nothing is kept, or None."""
    path, stored, trouble = file(), {}, None
    try:
        if path and path.exists():
            stored = _read(path)
    except (OSError, ValueError):
        trouble = f"{path.name} is not a progress file of this course; it is left alone, and progress is not kept."
    names = {**stored, **_session}
    return {name: _joined(stored.get(name, FRESH), _session.get(name, FRESH)) for name in names}, trouble


def entry(name):
    """What is known about one question."""
    return entries()[0].get(name, dict(FRESH))


def record(name, **changes):
    """Change the entry of a question and keep it, if that is possible: the answer was right, one more try, hint."""
    everything, trouble = entries()
    _session[name] = everything.get(name, FRESH) | changes
    path = file()
    if path and not trouble:
        try:
            _write(path, everything | {name: _session[name]})
        except OSError:
            pass  # a read-only folder: the session remembers


def forget():
    """Forget the session, as a restart of Python would; the file stays."""
    _session.clear()


def _joined(stored, own):
    """The further of two entries: what was reached once stays."""
    return {key: max(stored[key], own[key]) for key in FRESH}


def _read(path):
    """The entries of a progress file; ``ValueError`` if it is not one."""
    content = json.loads(path.read_text("utf8"))
    if not isinstance(content, dict) or content.get("format") != FORMAT or not isinstance(content.get("done"), dict):
        raise ValueError("not a progress file")
    done = {}
    for name, kept in content["done"].items():
        known = {key: kept[key] for key in FRESH if isinstance(kept, dict) and isinstance(kept.get(key), int)}
        done[name] = FRESH | known
    return done


def _write(path, done):
    """Put the entries into the file at once: a reader sees the old file or the new one."""
    text = json.dumps({"format": FORMAT, "done": done}, indent=1, sort_keys=True) + "\n"
    handle, beside = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".new")
    try:
        with os.fdopen(handle, "w", encoding="utf8") as out:
            out.write(text)
        os.replace(beside, path)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise
