"""The verbs of `Memory` in groups, each a class that `Memory` inherits from."""
