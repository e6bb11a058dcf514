"""Neural networks: features that are learned."""
