"""The command line: `chronicle`, or `python -m chronicle`."""

from chronicle.cli import main

if __name__ == "__main__":
    main()
