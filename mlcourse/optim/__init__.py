"""Minimising functions: gradient descent, line searches, conjugate gradients, stochastic gradients."""
