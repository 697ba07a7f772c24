"""`python -m engraphy_prove`."""

from engraphy_prove.cli import main

if __name__ == "__main__":
    main()
