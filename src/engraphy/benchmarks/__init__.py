"""The product measured through its public face, on data that the user brings (`--data`)."""
