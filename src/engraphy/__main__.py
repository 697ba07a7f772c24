"""`python -m engraphy`: the command line, where its script is not on the path."""

from engraphy.cli import main

if __name__ == "__main__":
    main()
