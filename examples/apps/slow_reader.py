"""Reads one byte every 20 ms in raw mode, shows it, and exits at `q`."""

import os
import sys
import termios
import time
import tty


def main() -> None:
    before = termios.tcgetattr(0)
    tty.setraw(0)
    read = b""
    try:
        os.write(1, b"ready\r\n")
        while not read.endswith(b"q"):
            time.sleep(0.02)
            byte = os.read(0, 1)
            os.write(1, byte)
            read += byte
    finally:
        termios.tcsetattr(0, termios.TCSADRAIN, before)
    print(f"\nSaved: {read.decode()}.")


if __name__ == "__main__":
    sys.exit(main())
