//! A test of an existing program: open a file, edit it, save it.

use std::fs;

use screentest::{App, RunOptions, tui_test};

/// No user settings, no other files than the edited one, and a short timeout after Escape.
const PLAIN: [&str; 8] = [
    "-u",
    "NONE",
    "-N",
    "-i",
    "NONE",
    "-n",
    "--cmd",
    "set ttimeout ttimeoutlen=50",
];

#[test]
fn a_line_is_added_and_saved() {
    let options = RunOptions::default().artifacts_dir("examples/artifacts");
    tui_test(options, "vim: edit", |tui| {
        let poem = tui.artifacts().join("poem.txt");
        fs::write(&poem, "Roses are red\n")?;
        let vim = App::new("vim").args(PLAIN).arg("poem.txt");
        tui.launch_and_wait(vim.cwd(tui.artifacts()).hermetic(), "Roses are red")?;

        tui.press("o")?;
        tui.wait_for_text("-- INSERT --")?;
        tui.type_text("Violets are blue")?;
        tui.press("Esc")?;
        tui.expect_not_visible("-- INSERT --")?;

        tui.send_line(":wq")?;
        assert!(tui.wait_for_exit()?.success());
        assert_eq!(
            fs::read_to_string(poem)?,
            "Roses are red\nViolets are blue\n"
        );
        Ok(())
    });
}
