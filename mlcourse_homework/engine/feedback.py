"""What a student sees: plain text in a terminal, HTML or markdown in Jupyter and on a page."""

from dataclasses import dataclass
from html import escape

LABELS = {"tried": "tried", "got": "came out", "should": "should hold"}
RIGHT, NOT_YET, NOT_ATTEMPTED = "right", "not yet", "not attempted yet"
COLORS = {RIGHT: "#2e8b57", NOT_YET: "#c2571a", NOT_ATTEMPTED: "#808080"}


@dataclass(frozen=True)
class Verdict:
    """The outcome of a check: right, not yet or not attempted yet, and why; true if it is right."""

    status: str
    message: str
    details: tuple = ()
    note: str = ""

    @property
    def right(self):
        """Whether the answer is right."""
        return self.status == RIGHT

    def __bool__(self):
        return self.right

    def __str__(self):
        lines = [f"{self.status}: {self.message}", *(f"  {label}: {text}" for label, text in self.details)]
        return "\n".join(lines + [f"  ({self.note})"] * bool(self.note))

    __repr__ = __str__

    def _repr_html_(self):
        rows = "".join(
            f"<tr><th scope='row' style='text-align:left'>{escape(label)}</th>"
            f"<td style='text-align:left'>{escape(text)}</td></tr>"
            for label, text in self.details
        )
        table = f"<table style='margin:0.3em 0 0'><tbody>{rows}</tbody></table>" if rows else ""
        note = f"<div><em>{escape(self.note)}</em></div>" if self.note else ""
        return (
            f"<div class='verdict' style='border-left:4px solid {COLORS[self.status]};padding:0.2em 0.8em'>"
            f"<strong>{escape(self.status)}</strong>: {escape(self.message)}{table}{note}</div>"
        )


@dataclass(frozen=True)
class Text:
    """A text in markdown: a hint or a solution."""

    markdown: str

    def __str__(self):
        return self.markdown

    __repr__ = __str__

    def _repr_markdown_(self):
        return self.markdown


@dataclass(frozen=True)
class Table:
    """A table with a caption above and notes below."""

    caption: str
    header: tuple
    rows: tuple
    notes: tuple = ()

    def __str__(self):
        cells = [[str(cell) for cell in row] for row in (self.header, *self.rows)]
        widths = [max(len(row[j]) for row in cells) for j in range(len(self.header) - 1)]
        margin = "\n" + " " * sum(width + 2 for width in widths)  # the last column may have several lines
        lines = [
            "".join(f"{cell:{width + 2}}" for cell, width in zip(row, widths, strict=False))
            + row[-1].replace("\n", margin)
            for row in cells
        ]
        rule = "  ".join("-" * width for width in (*widths, len(self.header[-1])))
        return "\n".join([self.caption, lines[0].rstrip(), rule, *(line.rstrip() for line in lines[1:]), *self.notes])

    __repr__ = __str__

    def _repr_html_(self):
        head = "".join(f"<th scope='col'>{escape(str(cell))}</th>" for cell in self.header)
        rows = ("".join(f"<td style='text-align:left'>{escape(str(cell))}</td>" for cell in row) for row in self.rows)
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        notes = "".join(f"<div><em>{escape(note)}</em></div>" for note in self.notes)
        caption = f"<caption>{escape(self.caption)}</caption>"
        return (
            f"<table class='report' tabindex='0'>{caption}<thead><tr>{head}</tr></thead>"
            f"<tbody>{body}</tbody></table>{notes}"
        )
