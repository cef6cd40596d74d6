"""Drives sessions over MCP and HTTP with the official SDK, while other clients use the server.

usage: sdk_client.py ADDRESS TOUCH-TOKEN LOOK-TOKEN MODE
"""

import asyncio
import sys

from mcp import Client
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client


def client(address, token, mode):
    http = create_mcp_http_client(headers={"Authorization": f"Bearer {token}"})
    return Client(streamable_http_client(f"http://{address}/mcp", http_client=http), mode=mode)


async def main():
    address, touch, look, mode = sys.argv[1:]

    async def call(client, name, **arguments):
        answer = await client.call_tool(name, arguments)
        return ("trouble: " if answer.is_error else "") + answer.content[0].text

    async with client(address, touch, mode) as agent:
        print("tools:", len((await agent.list_tools()).tools))
        await call(agent, "tui_launch", command="sh", args=["-c", "printf ready; exec cat"], until={"text": "ready"})
        print("typed:", "hello" in await call(agent, "tui_act", actions=[{"type": "hello"}], until={"text": "hello"}))
        # A session that another client opened.
        print("theirs:", "theirs" in await call(agent, "tui_look", session="theirs", view="text"))
    async with client(address, look, mode) as looker:
        print("looks:", "hello" in await call(looker, "tui_look", session="main", view="text"))
        print(await call(looker, "tui_act", session="main", actions=[{"type": "x"}]))
    async with client(address, touch, mode) as agent:
        print(await call(agent, "tui_act", session="driven", actions=[{"type": "x"}]))
        print(await call(agent, "tui_close", session="main"))


asyncio.run(main())
