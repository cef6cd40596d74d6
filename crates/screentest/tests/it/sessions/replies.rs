//! The terminal answers what a program asks, in the order of the questions.

use super::{SOON, meet_pump, scripted, sh};

/// Questions between texts, and the answers they get.
const ASKED: &str = "a\x1b[6nbc\x1b[5n\x1b[c\r\n\x1b[6n";
const ANSWERED: &str = "\x1b[1;2R\x1b[0n";

#[test]
fn answers_come_in_order_however_the_questions_are_cut() {
    for size in [1, 2, 3, 5, 1000] {
        let (pty, session) = scripted();
        for chunk in ASKED.as_bytes().chunks(size) {
            pty.print(chunk);
        }
        let input = pty.wait_for_input(SOON, |input| input.ends_with(b"\x1b[2;1R"));
        let input = String::from_utf8(input).unwrap();
        assert!(input.starts_with(ANSWERED), "chunks of {size}: {input:?}");
        assert!(input.ends_with("c\x1b[2;1R"), "chunks of {size}: {input:?}");
        drop(session);
    }
}

#[test]
fn a_program_that_writes_byte_by_byte_is_answered() {
    let session = sh("stty raw -echo; printf 'ab'
         for byte in '\\033' '[' '6' 'n' 'c' '\\033' '[' '5' 'n'; do printf \"$byte\"; done
         head -c 10 | cat -v; printf ' end'; read end");
    let screen = session.wait_for("end", SOON).unwrap();
    assert_eq!(screen.text(), "abc^[[1;3R^[[0n end\n");
}

#[test]
fn a_program_is_answered_while_nobody_waits() {
    let (pty, session) = scripted();
    pty.print(b"\x1b[5n");
    let input = pty.wait_for_input(SOON, |input| !input.is_empty());
    assert_eq!(input, b"\x1b[0n");
    drop(session);
}

#[test]
fn an_answer_goes_before_what_is_typed_later() {
    for _ in 0..100 {
        let (pty, session) = scripted();
        pty.print(b"\x1b[5n");
        session.type_text("x").unwrap();
        assert_eq!(pty.input(), b"\x1b[0nx");
    }
}

#[test]
fn a_question_behind_a_flood_is_answered() {
    let session =
        sh("stty raw -echo; seq 1 50000; printf '\\033[5n'; head -c 4 | cat -v; read end");
    session.wait_for("^[[0n", SOON).unwrap();
}

#[test]
fn an_answer_that_found_no_room_arrives_when_there_is_some() {
    for _ in 0..20 {
        let (pty, session) = scripted();
        meet_pump(&pty);
        pty.limit_input(0);
        pty.print(b"\x1b[6n");
        // Taken here rather than by the pump, which must learn that there is something to deliver.
        session.screen();
        pty.accept_input();
        let input = pty.wait_for_input(SOON, |input| input.ends_with(b"R"));
        assert_eq!(input, b"\x1b[0n\x1b[1;1R");
    }
}
