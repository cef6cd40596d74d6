#!/usr/bin/env python3
"""Drives vim through `screentest server`, using only the standard library.

    python3 vim_over_json_rpc.py [path of screentest]

Requests and responses are lines of JSON (docs/formats/json-rpc.md). There are no sleeps: input
waits until vim is ready for it, and other steps wait until the screen shows the expected text.
"""

import json
import subprocess
import sys
from pathlib import Path


class Server:
    """A running `screentest server`; its methods are the methods of the protocol."""

    def __init__(self, tool):
        self.process = subprocess.Popen(
            [tool, "server", "--artifact-dir", "artifacts", "--cols", "60", "--rows", "12"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
        self.last_id = 0

    def call(self, method, **params):
        self.last_id += 1
        request = {"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params}
        print(json.dumps(request), file=self.process.stdin, flush=True)
        for line in self.process.stdout:
            message = json.loads(line)
            # Notifications have no id; this client has not subscribed to any.
            if message.get("id") == self.last_id:
                break
        else:
            raise RuntimeError(f"the server ended during {method}")
        if "error" in message:
            data = message["error"].get("data", {})
            raise RuntimeError(f"{method}: {data.get('details')}\n{data.get('report', '')}")
        return message["result"]


def text(words):
    return {"type": "exact", "text": words}


def main():
    # Remove the result of an earlier run, which would be edited otherwise.
    Path("hello.txt").unlink(missing_ok=True)
    server = Server(sys.argv[1] if len(sys.argv) > 1 else "screentest")
    server.call("initialize", name="vim")
    # No user settings, no other files than the edited one, and a short timeout after Escape.
    plain = ["-u", "NONE", "-N", "-i", "NONE", "-n", "--cmd", "set ttimeout ttimeoutlen=50"]
    server.call(
        "launch",
        command="vim",
        args=plain + ["hello.txt"],
        readySelector=text("hello.txt"),
        readyTimeoutMs=30000,
    )
    server.call("sendKey", key="i")
    server.call("waitForText", selector=text("-- INSERT --"), timeoutMs=30000)
    server.call("sendText", text="hello from Python")
    server.call("waitForText", selector=text("hello from Python"))
    server.call("sendKey", key="Esc")
    server.call("expectNotVisible", selector=text("-- INSERT --"))
    view = server.call("currentView", entireRow=1)["text"]
    assert view.rstrip() == "hello from Python", view
    server.call("sendLine", text=":wq")
    status = server.call("exitStatus", timeoutMs=30000)
    assert status["code"] == 0, status
    server.call("server.shutdown")
    server.process.wait()
    print("vim wrote:", Path("hello.txt").read_text(encoding="utf-8").strip())


if __name__ == "__main__":
    main()
