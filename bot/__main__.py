"""`python -m bot` runs the bot; `python -m bot --check` loads everything and leaves."""

import sys

if __name__ == "__main__":
    # Not above: each worker process imports this module anew, and needs nothing of it.
    from bot.cli import main

    sys.exit(main())
