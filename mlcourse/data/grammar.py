"""Sentences from a small grammar: a corpus in which we know which words mean the same, and why."""

import numpy as np

from mlcourse.arguments.numbers import check_count, check_rng

RULES = {  # a symbol, in capitals, and what it may become, each with equal probability
    "SENTENCE": [
        "the LORD DID his TREASURE", "the LADY DID her TREASURE", "the MAN DID his THING", "the WOMAN DID her THING",
        "the BEAST ATE the FOOD", "the BEAST SLEPT in the PLACE",
    ],
    "LORD": ["king", "prince", "duke"],
    "LADY": ["queen", "princess", "duchess"],
    "MAN": ["man", "boy", "farmer"],
    "WOMAN": ["woman", "girl", "maid"],
    "DID": ["found", "lost", "sold", "showed"],
    "TREASURE": ["crown", "throne", "palace"],
    "THING": ["hat", "chair", "cottage"],
    "BEAST": ["cat", "dog", "fox"],
    "ATE": ["ate", "smelled", "stole"],
    "FOOD": ["fish", "cheese", "bread"],
    "SLEPT": ["slept", "hid", "played"],
    "PLACE": ["barn", "garden", "forest"],
}  # fmt: skip


def expanded(symbol: str, rng: np.random.Generator) -> str:
    """What a symbol becomes: one of its expansions, drawn at random, and so on with the symbols in it."""
    if symbol not in RULES:
        return symbol
    chosen = RULES[symbol][rng.integers(len(RULES[symbol]))]
    return " ".join(expanded(part, rng) for part in chosen.split())


def toy_sentences(n: int, rng: np.random.Generator | int | None = None) -> list[str]:
    """n independent sentences of the grammar.

    People differ in two respects, each with its own trace in the sentence: he or she ("his", "her") and of rank
    or not ("crown", "hat"). Animals are met in other sentences. Words from one rule are exchangeable.
    """
    rng = check_rng(rng)
    return [expanded("SENTENCE", rng) for _ in range(check_count("n", n))]
