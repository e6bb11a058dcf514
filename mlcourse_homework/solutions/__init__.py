"""Model solutions of the homework; ``hw.q1.solution()`` shows them."""
