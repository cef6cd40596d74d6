//! The scripts of the programs: their input, and marks at named moments.

use screentest::core::{Condition, Key, Position, Screen};
use screentest::recording::RecordOptions;

use super::recorder::RecordedProgram;

fn cursor(row: usize, col: usize) -> Condition {
    Condition::CursorAt(Position { row, col })
}

/// Holds if this text is in the first row.
fn top_row(text: &'static str) -> Condition {
    Condition::new(format!("{text:?} in the first row"), move |screen| {
        screen.row(0).is_some_and(|row| row.text() == text)
    })
}

/// `top`, showing one process, so that the table does not depend on the machine.
pub(super) fn top(record: RecordOptions) {
    let program = RecordedProgram::sh(record, "sleep 100 & exec top -d 0.2 -p $!");
    let table = |ending: &'static str| {
        Condition::new(format!("a table up to {ending}"), move |screen: &Screen| {
            let rows: Vec<&str> = screen.rows.iter().map(|row| row.text()).collect();
            let head = rows.iter().position(|row| row.trim_end().ends_with(ending));
            // A row of the table is below its header.
            head.is_some_and(|row| rows.get(row + 1).is_some_and(|row| !row.trim().is_empty()))
        })
    };
    program.wait_and_mark(table("COMMAND"), "drawn");
    // A screen that is cleared and drawn within one read counts as two here, and as one frame in
    // the cassette.
    program.wait_for_frames(8, "refreshed");
    program.type_text("1");
    let each = [
        Condition::text("%Cpu0"),
        !Condition::text("%Cpu(s)"),
        table("COMMAND"),
    ];
    program.wait_and_mark(Condition::all(each), "each processor");
    program.resize(60, 12);
    // Until top draws again, its old rows are wrapped.
    let narrow = Condition::all([table("%MEM"), !Condition::text("COMMAND")]);
    program.wait_and_mark(narrow, "narrow");
    program.resize(100, 30);
    // Until top draws again, the old screen still fits.
    let once = Condition::new("one picture", |screen: &Screen| {
        let heads = screen.rows.iter();
        heads.filter(|row| row.text().starts_with("top - ")).count() == 1
    });
    program.wait_and_mark(Condition::all([table("COMMAND"), once]), "wide");
    program.type_text("q");
    program.finish();
}

/// A pager, started from a shell.
pub(super) fn less(record: RecordOptions) {
    let script =
        "seq -f 'line %g of a hundred' 100 >text; echo before; less text; echo after; read end";
    let program = RecordedProgram::sh(record, script);
    // less draws the file name last.
    program.wait_and_mark("line 23 of a hundred\ntext", "drawn");
    program.press(Key::Down);
    program.wait_and_mark(
        Condition::all([top_row("line 2 of a hundred"), cursor(23, 1)]),
        "a line down",
    );
    program.press(Key::Space);
    program.wait_and_mark(
        Condition::all([top_row("line 25 of a hundred"), cursor(23, 1)]),
        "a page down",
    );
    program.type_text("/7 of");
    program.press(Key::Enter);
    program.wait_and_mark(
        Condition::all([top_row("line 27 of a hundred"), cursor(23, 1)]),
        "found",
    );
    program.type_text("G");
    program.wait_and_mark("line 100 of a hundred\n(END)", "the last page");
    program.type_text("q");
    program.wait_and_mark("after", "left");
    program.press(Key::Enter);
    program.finish();
}

/// An editor on the alternate screen, without user settings.
pub(super) fn vim(record: RecordOptions) {
    let plain = "-u NONE -N -i NONE -n --cmd 'set ttimeout ttimeoutlen=50'";
    let program = RecordedProgram::sh(record, &format!("echo before; vim {plain}; echo after"));
    program.wait_and_mark("VIM - Vi IMproved", "drawn");
    program.type_text("ione\ntwo\nthree");
    let typed = Condition::all([Condition::text("one\ntwo\nthree\n~"), cursor(2, 5)]);
    program.wait_and_mark(typed, "typed");
    program.press(Key::Esc);
    program.wait_for(cursor(2, 4));
    program.type_text("kk0");
    program.wait_and_mark(cursor(0, 0), "moved");
    program.type_text("dd");
    let out = [top_row("two"), !Condition::text("one"), cursor(0, 0)];
    program.wait_and_mark(Condition::all(out), "taken out");
    program.type_text("p");
    program.wait_and_mark(
        Condition::all([Condition::text("two\none\nthree\n~"), cursor(1, 0)]),
        "put back",
    );
    program.type_text("Go");
    program.type_text(&"0123456789".repeat(3));
    program.wait_for(cursor(3, 30));
    program.press(Key::Esc);
    program.wait_for(cursor(3, 29));
    program.resize(20, 8);
    let broken = Condition::text("01234567890123456789\n0123456789\n~");
    program.wait_and_mark(Condition::all([broken, cursor(4, 9)]), "narrow");
    program.resize(60, 10);
    let whole = Condition::text("012345678901234567890123456789\n~\n~");
    program.wait_and_mark(Condition::all([whole, cursor(3, 29)]), "wide");
    program.type_text(":q!\n");
    program.finish();
}

/// An editor with a title, help lines and a question on exit.
pub(super) fn nano(record: RecordOptions) {
    let program = RecordedProgram::sh(record, "nano --ignorercfiles notes.txt");
    let drawn = Condition::all([
        Condition::text("^X Exit"),
        Condition::text("[ New File ]"),
        cursor(1, 0),
    ]);
    program.wait_and_mark(drawn, "drawn");
    program.type_text("one\nthree");
    let typed = Condition::all([
        Condition::text("one\nthree"),
        Condition::text("Modified"),
        cursor(2, 5),
    ]);
    program.wait_and_mark(typed, "typed");
    program.press(Key::Up);
    program.wait_for(cursor(1, 3));
    program.press(Key::Home);
    program.wait_and_mark(cursor(1, 0), "moved");
    program.type_text("zero ");
    program.wait_and_mark(
        Condition::all([Condition::text("zero one\nthree"), cursor(1, 5)]),
        "changed",
    );
    program.press(Key::Char('x').ctrl());
    let asked = Condition::all(["Save modified buffer?", "^C Cancel"]);
    program.wait_and_mark(
        Condition::all([asked, !Condition::text("^X Exit")]),
        "asked",
    );
    program.type_text("n");
    program.finish();
}

/// A box with two buttons.
pub(super) fn dialog(record: RecordOptions) {
    let program = RecordedProgram::sh(record, "exec dialog --yesno 'Shall we?' 7 30");
    // Position of the cursor on the first letter of each button, in a terminal of 80x24.
    let (yes, no) = (|| cursor(13, 32), || cursor(13, 42));
    let question = || Condition::text("Shall we?");
    program.wait_and_mark(Condition::all([question(), yes()]), "drawn");
    program.press(Key::Tab);
    program.wait_and_mark(Condition::all([question(), no()]), "the other button");
    program.press(Key::Left);
    program.wait_and_mark(Condition::all([question(), yes()]), "back");
    program.press(Key::Right);
    program.wait_for(no());
    program.press(Key::Enter);
    program.finish();
}
