"""Word vectors: windows, gradients of both models by central differences, and words of one rule as neighbours."""

import itertools

import numpy as np
import pytest
from scipy.special import log_expit, log_softmax

from mlcourse.arguments.errors import NotFittedError
from mlcourse.data import toy_sentences
from mlcourse.data.grammar import RULES
from mlcourse.models.networks.word2vec import Word2Vec, WordRisk, cbow_examples, skip_gram_examples
from mlcourse.optim.stochastic import adam, shuffled_passes
from mlcourse.testing import numerical_gradient

SENTENCES = [[0, 1, 2, 1], [3], [2, 4], []]
RULE = {word: rule for rule, words in RULES.items() if rule != "SENTENCE" for word in words}


@pytest.mark.parametrize("window", [1, 2, 5])
def test_windows_are_the_words_nearby(window):
    bags, targets = cbow_examples(SENTENCES, window)
    expected = [
        (sorted(words[j] for j in range(len(words)) if 0 < abs(i - j) <= window), word)
        for words in SENTENCES for i, word in enumerate(words) if len(words) > 1
    ]  # fmt: skip
    assert [(sorted(bag[bag >= 0].tolist()), word) for bag, word in zip(bags, targets, strict=True)] == expected
    pairs = [(word, near) for near_by, word in expected for near in near_by]
    inputs, outputs = skip_gram_examples(SENTENCES, window)
    assert sorted(zip(inputs[:, 0].tolist(), outputs.tolist(), strict=True)) == sorted(pairs)


def halves(w, n_words=5, d=3):
    return w.reshape(2, n_words, d)


@pytest.mark.parametrize("examples", [cbow_examples, skip_gram_examples])
def test_the_gradient_of_the_softmax_is_that_of_its_formula(examples):
    bags, targets = examples(SENTENCES, 2)

    def formula(w):
        inputs, outputs = halves(w)
        means = np.array([inputs[bag[bag >= 0]].mean(axis=0) for bag in bags])
        return -log_softmax(means @ outputs.T, axis=1)[np.arange(len(targets)), targets].mean()

    w = np.random.default_rng(0).normal(size=30)
    gradient = WordRisk(bags, targets, 5, 3).gradient(w, np.arange(len(targets)))
    np.testing.assert_allclose(gradient, numerical_gradient(formula, w), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("examples", [cbow_examples, skip_gram_examples])
def test_negative_sampling_has_on_average_the_gradient_of_its_expected_loss(examples):
    bags, targets = examples(SENTENCES, 2)
    rows = np.arange(len(targets))
    noise = np.bincount(targets, minlength=5) ** 0.75
    noise /= noise.sum()

    def formula(w):  # -ln sigma(u_target.v) - k E ln sigma(-u_noise.v)
        inputs, outputs = halves(w)
        scores = np.array([inputs[bag[bag >= 0]].mean(axis=0) for bag in bags]) @ outputs.T
        return -(log_expit(scores[rows, targets]) + 4 * log_expit(-scores) @ noise).mean()

    w = np.random.default_rng(0).normal(size=30)
    risk = WordRisk(bags, targets, 5, 3, negatives=4, rng=np.random.default_rng(1))
    draws = np.array([risk.gradient(w, rows) for _ in range(4000)])
    error = np.abs(draws.mean(axis=0) - numerical_gradient(formula, w))
    assert (error < 5.5 * draws.std(axis=0) / np.sqrt(4000) + 1e-8).all()


@pytest.mark.parametrize("model", ["skip-gram", "cbow"])
@pytest.mark.parametrize("negatives", [0, 5])
def test_words_of_one_rule_are_neighbours_and_analogies_hold(model, negatives):
    vectors = Word2Vec(model=model, negatives=negatives, random_state=0).fit(toy_sentences(2000, rng=0))
    assert all(RULE[vectors.similar(word, 1)[0]] == RULE[word] for word in RULE)
    assert RULE[vectors.analogy("man", "king", "woman")] == "LADY"
    assert RULE[vectors.analogy("hat", "crown", "chair")] == "TREASURE"


@pytest.mark.parametrize("model, examples", [("skip-gram", skip_gram_examples), ("cbow", cbow_examples)])
@pytest.mark.parametrize("negatives", [0, 2])
def test_the_vectors_are_those_of_adam_from_normal_ones_over_the_root_of_d(model, examples, negatives):
    fitted = Word2Vec(4, 2, model, negatives, tau=0.05, batch=3, max_epochs=2, random_state=7).fit(["b a c a", "c d"])
    bags, targets = examples([[1, 0, 2, 0], [2, 3]], 2)
    rng = np.random.default_rng(7)
    risk = WordRisk(bags, targets, 4, 4, negatives, rng)
    start = rng.normal(size=2 * 4 * 4) / 2
    run = adam(risk.gradient, start, 0.05, shuffled_passes(len(targets), 3, 2, rng))
    inputs, outputs = halves(run.last, 4, 4)
    assert np.array_equal(fitted.vectors_, inputs) and np.array_equal(fitted.output_vectors_, outputs)


def test_vectors_of_words_have_length_one_and_the_direction_that_was_learned():
    model = Word2Vec(d=4, max_epochs=1, random_state=0).fit(["a b c"])
    for word, v in zip(model.vocabulary_, model.vectors_, strict=True):
        np.testing.assert_allclose(model.vector(word), v / np.sqrt(v @ v), rtol=1e-12)


def test_an_analogy_is_never_answered_with_one_of_its_own_words():
    model = Word2Vec(d=2, max_epochs=1, random_state=0).fit(["a b c d"])
    for a, b, c, d in itertools.permutations("abcd"):
        assert model.analogy(a, b, c) == d
    with pytest.raises(ValueError, match="no word but 'a', 'b' and 'c' was seen"):
        Word2Vec(max_epochs=1).fit(["a b c"]).analogy("a", "b", "c")


def test_similar_words_have_the_largest_cosines():
    model = Word2Vec(d=4, max_epochs=1, random_state=0).fit(toy_sentences(200, rng=0))
    E = model.vectors_ / np.linalg.norm(model.vectors_, axis=1, keepdims=True)
    i = model.vocabulary_.tolist().index("king")
    order = [word for word in model.vocabulary_[np.argsort(-(E @ E[i]))] if word != "king"]
    assert model.similar("king", 7) == order[:7]
    assert model.similar(E[i], 1) == ["king"] and model.similar("king", 2, without=order[:1]) == order[1:3]
    a, b, c = (model.vector(word) for word in ("man", "king", "woman"))
    assert model.analogy("man", "king", "woman") == model.similar(b - a + c, 1, ("man", "king", "woman"))[0]


def test_a_document_is_the_mean_of_its_words():
    sentences = toy_sentences(50, rng=0)
    model = Word2Vec(max_epochs=1, random_state=0).fit(sentences)
    number = {word: i for i, word in enumerate(model.vocabulary_)}
    expected = [np.mean([model.vectors_[number[word]] for word in s.split()], axis=0) for s in sentences]
    np.testing.assert_allclose(model.transform(sentences), expected, rtol=1e-9)
    np.testing.assert_allclose(model.transform(["king unheard", ""]), [model.vectors_[number["king"]] / 2, np.zeros(8)])


def test_equal_seeds_give_equal_vectors():
    sentences = toy_sentences(50, rng=0)
    a, b, c = (Word2Vec(max_epochs=2, random_state=seed).fit(sentences).vectors_ for seed in (1, 1, 2))
    assert np.array_equal(a, b) and not np.array_equal(a, c)


@pytest.mark.parametrize(
    "parameters, documents, message",
    [
        ({}, ["one", "two"], "no document has two words"),
        ({}, [""], "not one word"),
        ({}, [], "at least one string"),
        ({}, "one string", "put it in a list"),
        ({}, [3], "must be strings"),
        ({"random_state": "x"}, ["a b"], "random_state must be"),
        ({"tau": 1e200, "max_epochs": 2}, ["a b c"], "vectors overflow: take a smaller tau"),
        ({"tau": 1e200, "max_epochs": 2, "negatives": 0}, ["a b c"], "vectors overflow: take a smaller tau"),
    ],
)
def test_bad_input_is_named_and_leaves_nothing_behind(parameters, documents, message):
    model = Word2Vec(**parameters)
    with pytest.raises(ValueError, match=message):
        model.fit(documents)
    assert vars(model) == model.get_params()


def test_unknown_words_and_unfitted_use():
    with pytest.raises(NotFittedError):
        Word2Vec().similar("king")
    with pytest.raises(NotFittedError):
        Word2Vec().similar(np.ones(8))
    model = Word2Vec(max_epochs=1).fit(["a b"])
    with pytest.raises(ValueError, match="'king' was not seen"):
        model.similar("king")
    with pytest.raises(ValueError, match="'king' was not seen"):
        model.analogy("a", "b", "king")
    for v, n, message in [(np.ones(3), 1, "same length"), ("a", 0, "n must be"), (np.full(8, np.nan), 1, "finite")]:
        with pytest.raises(ValueError, match=message):
            model.similar(v, n)
