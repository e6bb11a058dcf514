"""Exercises that check themselves; each chapter with code exercises has a module here."""
