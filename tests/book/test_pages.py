"""The pages hang together: contents, references, exercises, images, errata; planted pages break each rule."""

import itertools
import posixpath
import re
from collections import Counter

import pytest
import yaml
from book_sources import Box, Line, labels, read_pages, references

BUILT_IN = {"genindex", "modindex", "py-modindex", "search"}
IMAGE = re.compile(r"!\[(?P<alt>[^\]]*)\]\(")
GRADED = re.compile(r"[^★] ★{1,3}$")
ERRATUM = re.compile(r"\*\*(?P<id>[A-Z]+\d+[a-z]?)\*\*")
IMG_TAG = re.compile(r"<img\b(?![^>]*\balt=\"[^\"]+\")", re.IGNORECASE)


def toc_files(node):
    """The pages listed in a table of contents, in order."""
    if isinstance(node, dict):
        own = [node[key] for key in ("root", "file") if key in node]
        return own + [f for value in node.values() for f in toc_files(value)]
    return [f for item in node for f in toc_files(item)] if isinstance(node, list) else []


def toc_problems(root):
    """Pages that are listed but missing, listed twice, or not listed."""
    listed = Counter(toc_files(yaml.safe_load((root / "_toc.yml").read_text("utf8"))))
    pages = {page.docname for page in read_pages(root)}
    return (
        [f"{name} is in _toc.yml but there is no such page" for name in listed if name not in pages]
        + [f"{name} is in _toc.yml {n} times" for name, n in listed.items() if n > 1]
        + [f"{name} is not in _toc.yml" for name in sorted(pages) if name not in listed]
    )


def reference_problems(root):
    """References to labels, pages and publications that do not exist."""
    pages, bibliography = read_pages(root), root / "book" / "references.bib"
    known = {"eq": set(), "prf": set(), "name": set(BUILT_IN)}
    for page in pages:
        for label, kind, _ in labels(page):
            known[kind].add(label)
    names = {label.lower() for label in known["name"] | known["prf"]}
    targets = {
        "doc": {f"/{page.docname}" for page in pages},
        "eq": known["eq"],
        "prf:ref": known["prf"],
        "ref": names,
        "numref": names,
        "cite": set(re.findall(r"@\w+\s*\{\s*([^,\s]+)\s*,", bibliography.read_text("utf8"))),
    }
    found = []
    for page in pages:
        for role, target, place in references(page):
            kind = "cite" if role.startswith("cite") else role
            wanted = target.lower() if kind in ("ref", "numref") else target
            if kind == "doc":
                wanted = posixpath.normpath(posixpath.join("/", posixpath.dirname(page.docname), target))
            if kind in targets and wanted not in targets[kind]:
                found.append(f"{place}: {{{role}}}`{target}` leads nowhere")
    return found


def exercise_problems(root):
    """Exercises without a grade, a label, a hint (in a dropdown) or a solution."""
    found = []
    for page in read_pages(root):
        boxes = page.of(Box)
        solved = {box.argument for box in boxes if box.name in ("solution", "solution-start")}
        starts = [i for i, box in enumerate(boxes) if box.name in ("exercise", "exercise-start")]
        for i, end in itertools.pairwise([*starts, len(boxes)]):
            exercise, label = boxes[i], boxes[i].label
            if not GRADED.search(exercise.argument):
                found.append(f"{exercise.place}: the title of {label or 'an exercise'} does not end with ★, ★★ or ★★★")
            if not label:
                found.append(f"{exercise.place}: an exercise without a label")
            elif label not in solved:
                found.append(f"{exercise.place}: {label} has no solution")
            if not any(is_hint(box) for box in boxes[i + 1 : end]):
                found.append(f"{exercise.place}: {label or 'an exercise'} has no hint in a dropdown")
        known = {boxes[i].label for i in starts}
        found += [
            f"{page.path}: a solution of {label!r}, which is no exercise of the page"
            for label in sorted(solved - known)
        ]
    return found


def is_hint(box):
    """Whether a box is a folded hint."""
    folded = box.name == "dropdown" or "dropdown" in box.options.get("class", "")
    return folded and ("hint" in box.argument.lower() or box.name == "hint")


def image_problems(root):
    """Images and figures without alternative text."""
    found = []
    for page in read_pages(root):
        for item in page.items:
            if isinstance(item, Box) and item.name in ("figure", "image") and not item.options.get("alt"):
                found.append(f"{item.place}: {item.argument} has no alt text")
            if isinstance(item, Line) and (
                IMG_TAG.search(item.text) or any(not match["alt"].strip() for match in IMAGE.finditer(item.text))
            ):
                found.append(f"{item.place}: an image without alt text")
    return found


def errata_problems(root):
    """Errata whose name is used twice or differs from the label in front of it."""
    found, seen = [], {}
    for page in read_pages(root):
        if page.docname != "book/errata":
            continue
        targets = [label for label, _, _ in labels(page) if label.startswith("erratum-")]
        for line in page.of(Line):
            if match := ERRATUM.match(line.text):
                if match["id"] in seen:
                    found.append(f"{line.place}: {match['id']} is already used at {seen[match['id']]}")
                seen.setdefault(match["id"], line.place)
        found += [
            f"{target}: no entry of this name" for target in targets if target.removeprefix("erratum-") not in seen
        ]
        found += [
            f"{place}: {name} has no target (erratum-{name})="
            for name, place in seen.items()
            if f"erratum-{name}" not in targets
        ]
    return found


def bibliography_problems(root):
    """Publications that are listed twice or that no page cites."""
    keys = Counter(re.findall(r"@\w+\s*\{\s*([^,\s]+)\s*,", (root / "book" / "references.bib").read_text("utf8")))
    cited = {target for page in read_pages(root) for role, target, _ in references(page) if role.startswith("cite")}
    return [f"{key} is listed {n} times" for key, n in keys.items() if n > 1] + [
        f"{key} is never cited" for key in keys if key not in cited
    ]


CHECKS = [toc_problems, reference_problems, exercise_problems, image_problems, errata_problems, bibliography_problems]


@pytest.mark.parametrize("problems", CHECKS, ids=lambda check: check.__name__)
def test_pages(root, problems):
    found = problems(root)
    assert not found, "\n".join(found)


GOOD = {
    "_toc.yml": "root: book/intro\nparts:\n  - chapters: [{file: book/one}, {file: book/errata}]\n",
    "book/references.bib": "@book{euler1748,\n title={Introductio}}\n",
    "book/intro.md": """(intro)=
# Intro

{doc}`one`, {doc}`/book/one`, {ref}`here <intro>`, {eq}`eq-a`, {cite:p}`euler1748`.
""",
    "book/one.md": """# One

$$
a = b
$$ (eq-a)

```{figure} a.svg
:name: fig-a
:alt: A line.
```

````{exercise} Add ★★
:label: ex-add

Add.

```{dropdown} Hint
Carry.
```
````

```{solution} ex-add
:class: dropdown
Done, by {numref}`fig-a`.
```
""",
    "book/errata.md": "# Errata\n\n(erratum-EA1)=\n**EA1** · sum\n\n(erratum-EA2)=\n**EA2** · product\n",
}


def test_good_pages_have_no_problem(project):
    folder = project(GOOD)
    assert [problem for check in CHECKS for problem in check(folder)] == []


@pytest.mark.parametrize(
    ("check", "path", "old", "new", "message"),
    [
        (toc_problems, "_toc.yml", "book/one", "book/two", "book/two is in _toc.yml but there is no such page"),
        (toc_problems, "_toc.yml", "book/one", "book/two", "book/one is not in _toc.yml"),
        (toc_problems, "_toc.yml", "book/one", "book/intro", "book/intro is in _toc.yml 2 times"),
        (reference_problems, "book/intro.md", "{doc}`one`", "{doc}`two`", "{doc}`two` leads nowhere"),
        (reference_problems, "book/intro.md", "<intro>", "<introduction>", "{ref}`introduction` leads nowhere"),
        (reference_problems, "book/intro.md", "{eq}`eq-a`", "{eq}`fig-a`", "{eq}`fig-a` leads nowhere"),
        (reference_problems, "book/intro.md", "{eq}`eq-a`", "{prf:ref}`thm-a`", "{prf:ref}`thm-a` leads nowhere"),
        (reference_problems, "book/intro.md", "euler1748", "euler1748,gauss", "{cite:p}`gauss` leads nowhere"),
        (exercise_problems, "book/one.md", "{dropdown} Hint", "{note} Hint", "ex-add has no hint"),
        (exercise_problems, "book/one.md", "{solution} ex-add", "{solution} ex-sub", "ex-add has no solution"),
        (exercise_problems, "book/one.md", "{solution} ex-add", "{solution} ex-sub", "which is no exercise"),
        (exercise_problems, "book/one.md", ":label: ex-add", "", "without a label"),
        (exercise_problems, "book/one.md", "Add ★★", "Add", "the title of ex-add does not end with ★"),
        (exercise_problems, "book/one.md", "Add ★★", "Add ★★★★", "the title of ex-add does not end with ★"),
        (bibliography_problems, "book/intro.md", "{cite:p}`euler1748`", "Euler", "euler1748 is never cited"),
        (image_problems, "book/one.md", ":alt: A line.", "", "a.svg has no alt text"),
        (image_problems, "book/intro.md", "# Intro", "# Intro\n![](a.svg)", "without alt text"),
        (errata_problems, "book/errata.md", "**EA2**", "**EA1**", "EA1 is already used"),
        (errata_problems, "book/errata.md", "**EA2**", "**EA3**", "EA3 has no target"),
    ],
)
def test_bad_pages_are_reported(project, check, path, old, new, message):
    assert old in GOOD[path]
    found = check(project(GOOD | {path: GOOD[path].replace(old, new)}))
    assert message in "\n".join(found)
