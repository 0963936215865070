"""`python -m bot` runs the bot; `python -m bot --check` loads everything and leaves."""

import gc
import signal
import sys

if __name__ == "__main__":
    # What is loaded stays: to look for garbage meanwhile found none, for two fifths of the CPU.
    gc.disable()
    try:
        # Not above: each worker process imports this module anew, and needs nothing of it.
        from bot.cli import main

        gc.freeze()
        gc.enable()
        status = main()
    except KeyboardInterrupt:  # Ctrl-C in a command, or before the bot listens for it
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a second one ends at once, without a word
        sys.stderr.write("Stopped.\n")
        status = 128 + signal.SIGINT  # as a shell says it
    sys.exit(status)
