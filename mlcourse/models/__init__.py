"""The hypothesis classes and their algorithms, one to a file, named as the lectures name them."""
