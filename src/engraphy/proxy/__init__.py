"""A door in front of a model: memory goes into what is asked, and comes out of what is answered."""
