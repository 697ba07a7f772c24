"""The dialect of mem0: its platform (v1, v2, v3), and its own server under `/mem0`."""
