"""What the doors of a server share: who asks, what is open, what a route demands."""
