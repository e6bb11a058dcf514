"""Word vectors: words that keep the same company get similar vectors.

Letters
    X       documents, each a list of words
    w       all parameters in one vector: the input vectors of the words, then their output vectors
    E       one vector for each word, in rows (number of words, d)
    tau     step
"""

from collections.abc import Callable, Iterable
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from mlcourse.arguments.arrays import check_lengths, check_vector
from mlcourse.arguments.collections import check_iterable
from mlcourse.arguments.kinds import Count, Sentences, checks_arguments
from mlcourse.arguments.numbers import check_count, check_one_of, check_positive, check_rng
from mlcourse.data.encode import TfEncoder
from mlcourse.models.networks.layers import candidate_scores, cross_entropy, embedding, logistic_loss, word_scores
from mlcourse.models.networks.network import Layer, Network, backpropagation
from mlcourse.optim.stochastic import adam, shuffled_passes


@checks_arguments
def cbow_examples(sentences: Sentences, window: Count) -> tuple[np.ndarray, np.ndarray]:
    """(bags, targets): the words at most ``window`` places from a word, filled up with -1, and the word itself."""
    around, middle = [], []
    for words in sentences:
        padded = [-1] * window + list(words) + [-1] * window
        for i, word in enumerate(words):
            around.append(padded[i : i + window] + padded[i + window + 1 : i + 2 * window + 1])
            middle.append(word)
    bags, targets = np.array(around, dtype=int).reshape(-1, 2 * window), np.array(middle, dtype=int)
    alone = (bags < 0).all(axis=1)
    return bags[~alone], targets[~alone]


@checks_arguments
def skip_gram_examples(sentences: Sentences, window: Count) -> tuple[np.ndarray, np.ndarray]:
    """(bags, targets): a word, as a bag of one, and a word at most ``window`` places from it, for all such pairs."""
    bags, targets = cbow_examples(sentences, window)
    row, place = np.nonzero(bags >= 0)
    return targets[row][:, None], bags[row, place]


class WordRisk:
    """The mean over the examples of -ln softmax(u.v)_target: v is the mean of the input vectors of the bag, u.v its
    products with the output vectors of all words. With ``negatives`` the sum over all words is avoided: the target
    is to be told from so many words drawn from the noise, by the logistic loss of their products with v.
    """

    def __init__(self, bags, targets, n_words, d, negatives=0, rng=None):
        self.bags, self.targets, self.negatives, self.rng = bags, targets, negatives, rng
        self.shapes = ((n_words, d),)
        noise = np.bincount(targets, minlength=n_words) ** 0.75
        self.noise = np.cumsum(noise) / noise.sum()

    def network(self, output: Callable) -> Network:
        """The mean of the input vectors, then products with output vectors."""
        return Network([Layer(embedding, self.shapes), Layer(output, self.shapes)])

    def gradient(self, w: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """The gradient at w of the risk on the given examples."""
        targets = self.targets[rows]
        if self.negatives:
            drawn = self.noise.searchsorted(self.rng.random((len(rows), self.negatives)))
            candidates = np.column_stack([targets, drawn])
            network = self.network(partial(candidate_scores, candidates=candidates))
            loss = partial(logistic_loss, y=np.array([1.0] + [-1.0] * self.negatives))
        else:
            network, loss = self.network(word_scores), partial(cross_entropy, y=targets)
        return backpropagation(network, w, self.bags[rows], loss)[1]


class Word2Vec(TfEncoder):
    """A vector for each word, such that the vectors of words around a place predict the word there.

    Minimises the risk of ``WordRisk`` on all windows of the documents. "skip-gram" predicts each neighbour from the
    word, "cbow" (continuous bag of words) the word from the mean of its neighbours. ``transform`` returns the mean
    of the vectors of the words of each document; a word that was not seen in training counts as zero.

    Parameters: ``d`` length of the vectors; ``window`` how far neighbours reach; ``negatives`` noise words for each
    example, or 0 for the softmax over all words. Training by Adam as in ``MLPClassifier``.

    Learned: ``vocabulary_`` sorted, ``vectors_`` (number of words, d), ``output_vectors_`` (the same shape).

    Book: deep-learning. Source: Paris.
    """

    _valid = {
        "d": check_count,
        "window": check_count,
        "model": check_one_of("skip-gram", "cbow"),
        "negatives": partial(check_count, minimum=0),
        "tau": check_positive,
        "batch": check_count,
        "max_epochs": check_count,
    }

    def __init__(
        self, d=8, window=3, model="skip-gram", negatives=5, tau=0.01, batch=128, max_epochs=10, random_state=None
    ):
        self.d, self.window, self.model, self.negatives = d, window, model, negatives
        self.tau, self.batch, self.max_epochs, self.random_state = tau, batch, max_epochs, random_state

    def _fit(self, X):
        super()._fit(X)
        number = {word: i for i, word in enumerate(self.vocabulary_.tolist())}
        sentences = [[number[word] for word in words] for words in X[:, 0]]
        examples = cbow_examples if self.model == "cbow" else skip_gram_examples
        bags, targets = examples(sentences, self.window)
        if not len(targets):
            raise ValueError("no document has two words: there is no company to learn from")
        rng = check_rng(self.random_state)
        risk = WordRisk(bags, targets, len(number), self.d, self.negatives, rng)
        start = rng.normal(size=2 * len(number) * self.d) / np.sqrt(self.d)
        batches = shuffled_passes(len(targets), self.batch, self.max_epochs, rng)
        with np.errstate(over="ignore", invalid="ignore"):
            run = adam(risk.gradient, start, float(self.tau), batches, keep_path=False)
        if not np.isfinite(run.last).all():
            raise ValueError("the vectors overflow: take a smaller tau")
        self.vectors_, self.output_vectors_ = run.last.reshape(2, len(number), self.d)

    def _transform(self, X):
        return super()._transform(X) @ self.vectors_

    def vector(self, word: str) -> np.ndarray:
        """The vector of a word, scaled to length one."""
        self._require_fit()
        place = np.flatnonzero(self.vocabulary_ == word) if isinstance(word, str) else ()
        if not len(place):
            raise ValueError(f"the word {word!r} was not seen in training")
        return unit(self.vectors_[place[0]])

    def similar(self, v: str | ArrayLike, n: int = 5, without: Iterable[str] = ()) -> list[str]:
        """The n words whose vectors have the largest cosines with v, a word or a vector, leaving some out."""
        self._require_fit()
        check_count("n", n)
        excluded = {word for word in (*check_iterable("without", without), v) if isinstance(word, str)}
        v = check_vector("v", self.vector(v) if isinstance(v, str) else v)
        check_lengths(v=v, vectors=self.vectors_.T)
        cosines = unit(self.vectors_) @ (v / (np.abs(v).max() or 1.0))
        words = self.vocabulary_[np.argsort(-cosines)]
        return [word for word in words.tolist() if word not in excluded][:n]

    def analogy(self, a: str, b: str, c: str) -> str:
        """The word that is to c what b is to a: it has the vector nearest to b - a + c."""
        nearest = self.similar(self.vector(b) - self.vector(a) + self.vector(c), 1, (a, b, c))
        if not nearest:
            raise ValueError(f"no word but {a!r}, {b!r} and {c!r} was seen in training: there is none to answer with")
        return nearest[0]


def unit(v: np.ndarray) -> np.ndarray:
    """v, or each row of a matrix, scaled to length one; zero stays."""
    length = np.linalg.norm(v, axis=-1, keepdims=True)
    return v / np.where(length > 0, length, 1)
