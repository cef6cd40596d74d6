//! The terminal replies to a program's queries, in order.

use super::{TIMEOUT, scripted, sh, sync_with_background_reader};

/// Queries between texts.
const ASKED: &str = "a\x1b[6nbc\x1b[5n\x1b[c\r\n\x1b[6n";
/// The replies to the first two queries.
const ANSWERED: &str = "\x1b[1;2R\x1b[0n";

#[test]
fn replies_come_in_order_however_the_queries_are_cut() {
    for size in [1, 2, 3, 5, 1000] {
        let (pty, session) = scripted();
        for chunk in ASKED.as_bytes().chunks(size) {
            pty.print(chunk);
        }
        let input = pty.wait_for_input(TIMEOUT, |input| input.ends_with(b"\x1b[2;1R"));
        let input = String::from_utf8(input).unwrap();
        assert!(input.starts_with(ANSWERED), "chunks of {size}: {input:?}");
        assert!(input.ends_with("c\x1b[2;1R"), "chunks of {size}: {input:?}");
        drop(session);
    }
}

#[test]
fn a_program_that_writes_byte_by_byte_gets_replies() {
    let session = sh("stty raw -echo; printf 'ab'
         for byte in '\\033' '[' '6' 'n' 'c' '\\033' '[' '5' 'n'; do printf \"$byte\"; done
         head -c 10 | cat -v; printf ' end'; read end");
    let screen = session.wait_for("end", TIMEOUT).unwrap();
    assert_eq!(screen.text(), "abc^[[1;3R^[[0n end\n");
}

#[test]
fn replies_are_sent_without_a_wait() {
    let (pty, session) = scripted();
    pty.print(b"\x1b[5n");
    let input = pty.wait_for_input(TIMEOUT, |input| !input.is_empty());
    assert_eq!(input, b"\x1b[0n");
    drop(session);
}

#[test]
fn a_reply_precedes_input_typed_later() {
    for _ in 0..100 {
        let (pty, session) = scripted();
        pty.print(b"\x1b[5n");
        session.type_text("x").unwrap();
        assert_eq!(pty.input(), b"\x1b[0nx");
    }
}

#[test]
fn a_query_after_a_flood_is_answered() {
    let session =
        sh("stty raw -echo; seq 1 50000; printf '\\033[5n'; head -c 4 | cat -v; read end");
    session.wait_for("^[[0n", TIMEOUT).unwrap();
}

#[test]
fn a_reply_to_a_full_terminal_is_sent_later() {
    for _ in 0..20 {
        let (pty, session) = scripted();
        sync_with_background_reader(&pty);
        pty.limit_input(0);
        pty.print(b"\x1b[6n");
        // This thread reads the query, so the background reader does not see it. The background
        // reader must still learn that it has a reply to deliver.
        session.screen();
        pty.accept_input();
        let input = pty.wait_for_input(TIMEOUT, |input| input.ends_with(b"R"));
        assert_eq!(input, b"\x1b[0n\x1b[1;1R");
    }
}
