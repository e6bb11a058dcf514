"""Side-by-side timings against scikit-learn, as ratios: ``python -m benchmarks``."""
