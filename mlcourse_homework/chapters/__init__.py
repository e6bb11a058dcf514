"""The code exercises of the chapters, one module for each page."""
