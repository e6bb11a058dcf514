"""The one checker: every argument is checked once, where a call enters the package, with a clear error.

``kinds`` are type hints with a check behind them, ``door`` says when they are checked; ``arrays``, ``numbers``,
``collections`` and ``promises`` have the checks. Each returns the value ready for use, or raises ``ValueError`` saying
what was wrong, what was expected and what was got.
"""
