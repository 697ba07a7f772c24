"""Doors for clients that people have already: they speak as their own servers do."""
