"""The dialect of Anthropic's memory stores (beta)."""
