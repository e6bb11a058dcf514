"""The homeworks, one module for each page."""
