"""Rules that combine rules: votes, bags, forests and boosting."""
