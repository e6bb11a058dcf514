"""Kernels and margins: linear rules in a space that only inner products enter."""
