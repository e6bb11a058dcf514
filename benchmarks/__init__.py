"""Side-by-side timings, as ratios: ``python -m benchmarks``; with ``--write`` also as the page ``performance``."""
