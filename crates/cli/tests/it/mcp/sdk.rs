//! The official MCP SDK as the client.

use crate::harness::cli::{Folder, TOOL, command_in, installed, project_path};

#[test]
fn official_sdk_drives_vim() {
    let folder = Folder::new();
    let python = installed(
        "target/mcp-sdk/bin/python",
        "the official SDK of MCP (`mcp` from PyPI)",
    );
    let script = project_path("examples/vim_over_mcp.py");
    let said = command_in(folder.path(), &python, [script.as_str(), TOOL]);
    assert_eq!(
        said,
        "\
tools: tui_launch, tui_act, tui_look, tui_expect, tui_extract, tui_sessions, tui_close
an answer: 1|hello from an agent
a picture: image/png
vim ended: exit code 0
vim wrote: hello from an agent
"
    );
}
