"""`python -m engraphy.cli`: the command line where its script is not on the path."""

from engraphy.cli import main

main()
