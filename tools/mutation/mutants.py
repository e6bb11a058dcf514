"""The mutants of a file: one small change each, made by the operators of Cosmic Ray.

Each arithmetic operator is replaced by one other and each comparison by its neighbour at the boundary and by its
negation; the rest of Cosmic Ray's table (a shift or a bitwise operator between floats, say) raises at once, and would
only raise the score. Numbers go up and down by one; conditions, signs, truth values, loops, ``break``, ``except`` and
decorators change as in Cosmic Ray. Two operators are ours: the in-place operators and ``in``.

Left alone: text (docstrings, messages, f-strings, whatever stands in a ``raise``), annotations, the decorator
``states``, which only registers a promise, and the parameters of ``dataclass``.
"""

import ast
import hashlib
import itertools
from dataclasses import dataclass

import parso
from cosmic_ray.operators import (
    binary_operator_replacement,
    boolean_replacer,
    break_continue,
    comparison_operator_replacement,
    exception_replacer,
    number_replacer,
    remove_decorator,
    unary_operator_replacement,
    zero_iteration_for_loop,
)
from cosmic_ray.operators.operator import Operator

ARITHMETIC = "Add_Sub Sub_Add Mul_Div Div_Mul FloorDiv_Div Mod_FloorDiv Pow_Mul BitOr_BitAnd BitAnd_BitOr BitXor_BitOr"
ARITHMETIC += " LShift_RShift RShift_LShift"
COMPARISON = "Lt_LtE Lt_GtE LtE_Lt LtE_Gt Gt_GtE Gt_LtE GtE_Gt GtE_Lt Eq_NotEq NotEq_Eq Is_IsNot IsNot_Is"
UNARY = "_Delete_USub _Delete_Invert _Delete_Not"
EXPRESSIONS = {"arith_expr", "term", "power", "expr", "xor_expr", "and_expr", "shift_expr"}
SILENT_DECORATORS = {"states"}


class Swap(Operator):
    """Replaces a token by another one."""

    pairs: dict

    def mutation_positions(self, node):
        if isinstance(node, (parso.python.tree.Operator, parso.python.tree.Keyword)) and self.applies(node):
            yield (node.start_pos, node.end_pos)

    def mutate(self, node, index):
        node.value = self.pairs[node.value]
        return node

    @classmethod
    def examples(cls):
        return ()


class InPlace(Swap):
    """Replaces ``+=`` by ``-=`` and so on."""

    pairs = {"+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "//=": "/=", "|=": "&=", "&=": "|=", "^=": "|="}

    def applies(self, node):
        return node.value in self.pairs


class Membership(Swap):
    """Replaces the comparison ``in`` by ``not in`` and back."""

    pairs = {"in": "not in", "not": ""}

    def applies(self, node):
        inside = node.parent.type
        return (node.value == "in" and inside == "comparison") or (node.value == "not" and inside == "comp_op")


class Condition(boolean_replacer.AddNot):
    """Negates a condition that is not a comparison, which has its own negation."""

    def mutation_positions(self, node):
        for position in super().mutation_positions(node):
            expression = node.children[2 if node.type == "test" else 1]
            if expression.type not in {"comparison", "not_test"}:
                yield position

    def mutate(self, node, index):
        at = 2 if node.type == "test" else 1
        node.children[at] = parso.parse(f" not ({node.children[at].get_code().strip()})")
        return node


def operators():
    """Name and instance of every operator in use."""
    table = {f"_{name}" for name in (ARITHMETIC + " " + COMPARISON).split()} | set(UNARY.split())
    families = (binary_operator_replacement, comparison_operator_replacement, unary_operator_replacement)
    chosen = [op for family in families for op in family.operators() if op.__name__[op.__name__.index("_") :] in table]
    chosen += [boolean_replacer.ReplaceTrueWithFalse, boolean_replacer.ReplaceFalseWithTrue]
    chosen += [boolean_replacer.ReplaceAndWithOr, boolean_replacer.ReplaceOrWithAnd]
    chosen += [break_continue.ReplaceBreakWithContinue, break_continue.ReplaceContinueWithBreak]
    chosen += [exception_replacer.ExceptionReplacer, number_replacer.NumberReplacer, remove_decorator.RemoveDecorator]
    chosen += [zero_iteration_for_loop.ZeroIterationForLoop, Condition, InPlace, Membership]
    return [(op.__name__, op()) for op in chosen]


@dataclass
class Mutant:
    """A changed line. ``function`` is "" for what runs at import; ``last`` ends the statement that is changed."""

    path: str
    function: str
    before: str
    after: str
    number: int  # 1, 2, ...: which of several with the same path, function, before and after
    operator: str
    line: int
    first: int
    last: int
    context: str  # a hash of the function, or of the line if it runs at import: a result holds as long as it does
    source: str = ""

    @property
    def key(self):
        return (self.path, self.function, self.before, self.after, self.number)


class Plan:
    """Where the statements and functions of a file are, and what is left alone."""

    def __init__(self, source):
        self.tree = ast.parse(source)
        self.quiet, self.functions, self.statements = [], [], []
        self._visit(self.tree, "")

    def _visit(self, node, name):
        for child in ast.iter_child_nodes(node):
            inner = name
            if isinstance(child, (ast.FunctionDef, ast.Lambda, ast.ClassDef)):
                inner = f"{name}.{getattr(child, 'name', '<lambda>')}".lstrip(".")
            if isinstance(child, (ast.FunctionDef, ast.Lambda)):
                body = child.body if isinstance(child, ast.FunctionDef) else [child.body]
                self.functions.append((*self._range(body[0], body[-1]), inner, body))
            if isinstance(child, ast.ClassDef):
                self.functions.append((*self._range(child, child), None, []))
            self._silence(child)
            if isinstance(child, ast.stmt):
                end = child.body[0].lineno - 1 if getattr(child, "body", None) else child.end_lineno
                self.statements.append((child.lineno, max(child.lineno, end)))
            self._visit(child, inner)

    def _silence(self, node):
        annotations = [getattr(node, "annotation", None), getattr(node, "returns", None)]
        quiet = [note for note in annotations if note is not None]
        if isinstance(node, (ast.JoinedStr, ast.Raise)):
            quiet.append(node)
        for decorator in getattr(node, "decorator_list", []):
            called = decorator.func if isinstance(decorator, ast.Call) else decorator
            if getattr(called, "id", "") in SILENT_DECORATORS:
                self.quiet.append(((decorator.lineno, decorator.col_offset - 1), (decorator.lineno + 1, 0)))
            elif isinstance(decorator, ast.Call):
                quiet.append(decorator)  # its arguments; the decorator as a whole starts at the @ before it
        self.quiet += [self._range(part, part) for part in quiet]

    @staticmethod
    def _range(first, last):
        return (first.lineno, first.col_offset), (last.end_lineno, last.end_col_offset)

    def is_quiet(self, start):
        return any(low <= start < high for low, high in self.quiet)

    def function(self, start):
        """The outermost function whose body holds the position; "" if it runs at import."""
        around = [(low, name) for low, high, name, _ in self.functions if name is not None and low <= start < high]
        return min(around, default=(0, ""))[1]

    def context(self, start):
        """A hash of the outermost function around the position, comments and line breaks aside; "" if there is none."""
        around = [(low, node) for low, high, name, node in self.functions if name is not None and low <= start < high]
        return _hash("".join(map(ast.dump, min(around, key=lambda pair: pair[0])[1]))) if around else ""

    def statement(self, line):
        """First and last line of the smallest statement (or of its head) around the line."""
        return min(((b - a, a, b) for a, b in self.statements if a <= line <= b), default=(0, line, line))[1:]


def mutants(path, source):
    """All mutants of one file."""
    plan, found, seen = Plan(source), [], {}
    lines = source.splitlines(keepends=True)
    starts = [0, *itertools.accumulate(map(len, lines))]
    for node in _nodes(parso.parse(source)):
        for name, operator in OPERATORS:
            for index, (start, _) in enumerate(operator.mutation_positions(node)):
                if plan.is_quiet(start) or not _is_expression(name, node):
                    continue
                (line, column), old = node.start_pos, node.get_code(include_prefix=False)
                new = _mutated(operator, node, index)
                at = starts[line - 1] + column
                changed = source[: at - column if new is None else at] + (new or "") + source[at + len(old) :]
                if (new or "").split() == old.split() or not _compiles(changed):
                    continue
                before, after = _change(lines, changed.splitlines(keepends=True))
                function = plan.function(start)
                seen[function, before, after] = number = seen.get((function, before, after), 0) + 1
                place, context = plan.statement(start[0]), plan.context(start) or _hash(before)
                found.append(Mutant(path, function, before, after, number, name, start[0], *place, context, changed))
    return sorted(found, key=lambda mutant: (mutant.line, mutant.after))


def _mutated(operator, node, index):
    """The code of the node after the mutation, None if it is gone; the tree stays as it is."""
    kept = [(part, dict(_state(part))) for part in _nodes(node)]
    for part, _ in kept:
        if hasattr(part, "children"):
            part.children = list(part.children)
    new = operator.mutate(node, index)
    code = None if new is None else new.get_code(include_prefix=False).lstrip(" ")
    for part, state in kept:
        for name, value in state.items():
            setattr(part, name, value)
    return code


def _state(part):
    return [(name, getattr(part, name)) for name in ("children", "value") if hasattr(part, name)]


def _nodes(node):
    yield node
    for child in getattr(node, "children", ()):
        yield from _nodes(child)


def _is_expression(name, node):
    """Cosmic Ray takes the star of ``def f(*, x)`` for a product."""
    return not name.startswith("ReplaceBinary") or node.parent.type in EXPRESSIONS


def _hash(text):
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _compiles(source):
    try:
        return ast.parse(source) is not None
    except SyntaxError:
        return False


def _change(old, new):
    """The text of the changed lines before and after."""
    head = _common(old, new)
    tail = _common(old[:head:-1], new[:head:-1])
    parts = ("".join(part[head : len(part) - tail]) for part in (old, new))
    return tuple(" ".join(part.split()) for part in parts)


def _common(old, new):
    """How many lines are the same from the start on."""
    same = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False))
    return sum(1 for _ in same)


OPERATORS = operators()
