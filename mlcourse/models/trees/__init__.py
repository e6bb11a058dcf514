"""Trees: a prediction is the end of a path of questions."""
