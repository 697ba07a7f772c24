"""Several of what is spelled letter by letter (`pdfs`), which no stemmer takes apart."""

import re

SEVERAL = re.compile(r"[A-Z]{2,10}s|[bcdfghjklmnpqrstvwxz]{3,6}s")
"""A whole word; without its last letter it is one of them."""
