"""Data to learn from: laws whose truth is known, classical data sets, a small corpus, a toy grammar, and encoders."""

import types

from mlcourse.data.corpus import load_corpus
from mlcourse.data.encode import OneHot, Standardiser, TfEncoder, TfIdfEncoder
from mlcourse.data.finite import FiniteLaw
from mlcourse.data.gaussian import GaussianPair
from mlcourse.data.grammar import toy_sentences
from mlcourse.data.law import BinaryLaw
from mlcourse.data.line import LipschitzPosterior, NoisyFunction, NoisyThreshold, StepPosterior
from mlcourse.data.real import Dataset, load_digits, load_ionosphere, load_iris, load_mushroom, load_wdbc
from mlcourse.data.synthetic import XOR, Moons, NestedSpheres, SeparableMargin, exponential_perceptron

__all__ = [name for name, thing in sorted(vars().items()) if name[0] != "_" and not isinstance(thing, types.ModuleType)]
