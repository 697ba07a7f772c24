"""`engraphy serve`: REST, MCP, the dashboard, the proxy and compatible APIs in one process."""
