#!/usr/bin/env python3
"""Drives vim through `screentest mcp`, with the official SDK (`pip install 'mcp>=2'`), like an agent's client.

    python3 vim_over_mcp.py [path of screentest]

Every call acts, waits and returns the changes (docs/agents.md). There are no sleeps.
"""

import asyncio
import base64
import sys
from pathlib import Path

try:
    from mcp import Client, StdioServerParameters
except ImportError as error:
    sys.exit(f"the package `mcp` (PyPI), 2.0 or later, is missing: `pip install 'mcp>=2'` installs it ({error})")


async def main():
    # Remove the result of an earlier run, which would be edited otherwise.
    Path("hello.txt").unlink(missing_ok=True)
    tool = sys.argv[1] if len(sys.argv) > 1 else "screentest"
    async with Client(StdioServerParameters(command=tool, args=["mcp"], cwd=".")) as client:
        tools = (await client.list_tools()).tools
        print("tools:", ", ".join(tool.name for tool in tools))
        characters = sum(len(tool.model_dump_json(by_alias=True, exclude_none=True)) for tool in tools)
        assert characters < 8000, characters

        async def call(name, **arguments):
            answer = await client.call_tool(name, arguments)
            text = answer.content[0].text
            assert not answer.is_error, text
            return answer

        # No user settings, no other files than the edited one, and a short timeout after Escape.
        plain = ["-u", "NONE", "-N", "-i", "NONE", "-n", "--cmd", "set ttimeout ttimeoutlen=50"]
        screen = await call(
            "tui_launch",
            command="vim",
            args=plain + ["hello.txt"],
            until={"text": "hello.txt"},
            timeout_ms=30000,
        )
        assert screen.structured_content["screen"] == "134x40", screen

        # One call: two actions, a wait, and a result with only the changed rows.
        typed = await call(
            "tui_act",
            actions=[{"press": "i"}, {"wait": "-- INSERT --"}, {"type": "hello from an agent"}],
            until={"text": "hello from an agent"},
            timeout_ms=30000,
        )
        rows = {row["row"]: row["text"] for row in typed.structured_content["rows"]}
        assert rows[1] == "hello from an agent", rows
        assert set(rows) <= {1, 40}, rows
        assert typed.structured_content["cursor"] == [1, 20], typed
        answer = typed.model_dump_json(by_alias=True, exclude_none=True)
        assert len(answer) < 1000, len(answer)
        print("an answer:", typed.content[0].text.splitlines()[1])

        picture = await call("tui_look", view="png")
        image = picture.content[1]
        png = base64.b64decode(image.data)
        assert image.mime_type == "image/png" and png.startswith(b"\x89PNG"), image.mime_type
        print("a picture:", image.mime_type)

        over = await call(
            "tui_act",
            actions=[{"press": "Escape"}, {"type": ":wq\n"}],
            until={"exit": True},
            timeout_ms=30000,
        )
        print("vim ended:", over.structured_content["program"])
    print("vim wrote:", Path("hello.txt").read_text(encoding="utf-8").strip())


if __name__ == "__main__":
    asyncio.run(main())
