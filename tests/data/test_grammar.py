"""The toy grammar: every sentence obeys it, and its words are as frequent as the rules say."""

import re

import numpy as np
import pytest
from scipy.stats import chi2

from mlcourse.data import toy_sentences
from mlcourse.data.grammar import RULES

PATTERNS = [
    re.compile(" ".join(f"({'|'.join(RULES[part])})" if part in RULES else part for part in sentence.split()))
    for sentence in RULES["SENTENCE"]
]


def test_every_sentence_matches_one_pattern_and_patterns_are_equally_frequent():
    matches = [[bool(p.fullmatch(s)) for p in PATTERNS] for s in toy_sentences(3000, rng=0)]
    assert (np.sum(matches, axis=1) == 1).all()
    expected = 3000 / len(PATTERNS)
    assert ((np.sum(matches, axis=0) - expected) ** 2 / expected).sum() < chi2.isf(1e-6, df=len(PATTERNS) - 1)


def test_words_of_a_rule_are_equally_frequent():
    words = " ".join(toy_sentences(3000, rng=1)).split()
    for rule in RULES.keys() - {"SENTENCE"}:
        counts = np.array([words.count(word) for word in RULES[rule]])
        assert ((counts - counts.mean()) ** 2 / counts.mean()).sum() < chi2.isf(1e-6, df=len(counts) - 1)


def test_no_word_belongs_to_two_rules():
    words = [word for rule, words in RULES.items() if rule != "SENTENCE" for word in words]
    assert len(words) == len(set(words)) and all(word == word.lower() for word in words)


def test_seeds_and_bad_input():
    assert toy_sentences(20, rng=3) == toy_sentences(20, rng=3) != toy_sentences(20, rng=4)
    for n, rng in [(0, 0), (2.5, 0), (3, "a")]:
        with pytest.raises(ValueError, match="must be"):
            toy_sentences(n, rng)
