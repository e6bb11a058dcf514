"""Homework and exercises that check themselves: ``check``, ``hint`` and ``solution`` for every question.

Each homework is a module here (``perceptron``, ``adaboost``, ...), and so is each chapter with code exercises
(``chapter_perceptron``, ...). ``python -m mlcourse.homework`` works on files.
"""
