//! Tests of commands that a shell marked.

use super::screens::state;
use crate::{CommandProgress, ShellCommand};

/// Returns the output of a shell: `A` before a prompt, `B` before the input, `C` before the output,
/// `D` after it.
fn marked(script: &str) -> String {
    let mut bytes = script.replace('\n', "\r\n");
    for mark in ["A", "B", "C", "D"] {
        bytes = bytes.replace(&format!("<{mark}>"), &format!("\x1b]133;{mark}\x07"));
    }
    bytes
}

/// Checks all commands, as `line → output`, with `…` after a running one and `?` after one at the
/// prompt.
#[track_caller]
fn check(script: &str, commands: &[&str]) {
    let state = state(12, 4, &marked(script));
    let found = state.commands();
    let shown = |command: &ShellCommand| {
        let end = match command.progress {
            CommandProgress::Typed => "?",
            CommandProgress::Running => "…",
            CommandProgress::Finished => "",
        };
        format!("{} → {}{end}", command.line, command.output)
    };
    assert_eq!(
        found.iter().map(shown).collect::<Vec<_>>(),
        commands,
        "{script:?}"
    );
    let entered = found
        .into_iter()
        .rfind(|command| command.progress != CommandProgress::Typed);
    assert_eq!(
        state.last_output(),
        entered.as_ref().map(|c| c.output.clone())
    );
    assert_eq!(state.last_command(), entered);
}

#[test]
fn a_command_has_its_line_and_its_output() {
    check("<A>$ <B>ls\n<C>a\n  b\n<D><A>$ <B>", &["ls → a\n  b"]);
    check(
        "<A>$ <B>ls\n<C>a\n<D><A>$ <B>cat x\n<C>one\n\n two\n<D><A>$ <B>",
        &["ls → a", "cat x → one\n\n two"],
    );
}

#[test]
fn a_command_may_still_be_typed_or_running() {
    check("<A>$ <B>", &[]);
    check("<A>$ <B>ls", &["ls → ?"]);
    check("<A>$ <B>ls\n<C>", &["ls → …"]);
    check("<A>$ <B>ls\n<C>a", &["ls → a…"]);
    check("<A>$ <B>ls\n<C>a\n<D><A>$ <B>rm", &["ls → a", "rm → ?"]);
}

#[test]
fn a_command_may_print_nothing() {
    check(
        "<A>$ <B>ls\n<C>a\n<D><A>$ <B>true\n<C><D><A>$ <B>",
        &["ls → a", "true → "],
    );
    check("<A>$ <B>\n<A>$ <B>\n<A>$ <B>", &[]);
}

#[test]
fn output_without_a_line_end_stops_at_the_prompt() {
    check("<A>$ <B>x\n<C>out<D><A>$ <B>", &["x → out"]);
    check("<A>$ <B>ls<C>out<D>", &["ls → out…"]);
}

#[test]
fn blank_lines_around_an_output_are_left_out_and_its_indent_is_kept() {
    check("<A>$ <B>x\n<C> \n\n  a\n \n<D><A>$ <B>", &["x →   a"]);
}

#[test]
fn a_prompt_may_be_empty() {
    check("<B>ls\n<C>a\n<D><B>rm", &["ls → a", "rm → ?"]);
}

#[test]
fn wrapped_text_is_one_line() {
    check(
        "<A>$ <B>echo 0123456789\n<C>0123456789 12 456 \n<D><A>$ <B>",
        &["echo 0123456789 → 0123456789 12 456"],
    );
    check(
        "<A>$ <B>x\n<C>0123456789a世\n<D><A>$ <B>",
        &["x → 0123456789a世"],
    );
}

#[test]
fn output_in_the_scrollback_is_included() {
    check(
        "<A>$ <B>seq 7\n<C>1\n2\n3\n4\n5\n6\n7\n<D><A>$ <B>",
        &["seq 7 → 1\n2\n3\n4\n5\n6\n7"],
    );
    check(
        "<A>$ <B>x\n<C>0123456789abc\n\n\nend\n<D>$ ",
        &["x → 0123456789abc\n\n\nend"],
    );
}

#[test]
fn a_prompt_at_the_right_edge_does_not_end_the_command() {
    check("<A>$ <B>ls\x1b[9G<A>now<B>\n<C>a\n<D><A>$ <B>", &["ls → a"]);
}

#[test]
fn a_shell_may_mark_only_outputs() {
    check("$ ls\n<C>a\n<D>$ pwd\n<C>/\n<D>$ ", &[" → a", " → /"]);
    check("nothing\nmarked", &[]);
}
