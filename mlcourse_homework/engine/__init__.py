"""What makes a question check itself: answers, verdicts, limits, progress, the grader."""
