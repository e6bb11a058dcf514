"""Linear rules: a weighted sum of the features and its sign."""
