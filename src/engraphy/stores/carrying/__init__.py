"""A store brought over into another, of whatever engine, table by table."""
