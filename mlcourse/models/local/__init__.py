"""Local rules: a prediction looks at the examples near by."""
