//! The scripts of the programs: what is typed, and which moments have a name.

use screentest::RecordOptions;
use screentest::core::{Condition, Key, Position, Screen};

use super::recorder::Stage;

fn cursor(row: usize, col: usize) -> Condition {
    Condition::CursorAt(Position { row, col })
}

/// A text in the first row.
fn top_row(text: &'static str) -> Condition {
    Condition::new(format!("{text:?} in the first row"), move |screen| {
        screen.row(0).is_some_and(|row| row.text() == text)
    })
}

/// A table that draws itself again and again: of one process, since others come and go.
pub(super) fn top(record: RecordOptions) {
    let stage = Stage::sh(record, "sleep 100 & exec top -d 0.2 -p $!");
    let table = |ending: &'static str| {
        Condition::new(format!("a table up to {ending}"), move |screen: &Screen| {
            let rows: Vec<&str> = screen.rows.iter().map(|row| row.text()).collect();
            let head = rows.iter().position(|row| row.trim_end().ends_with(ending));
            // A row stands below the head.
            head.is_some_and(|row| rows.get(row + 1).is_some_and(|row| !row.trim().is_empty()))
        })
    };
    stage.shows(table("COMMAND"), "drawn");
    // A picture that is cleared and drawn within one read is two of them here, and one frame of the cassette.
    stage.refreshes(8, "refreshed");
    stage.types("1");
    let each = [
        Condition::text("%Cpu0"),
        !Condition::text("%Cpu(s)"),
        table("COMMAND"),
    ];
    stage.shows(Condition::all(each), "each processor");
    stage.resize(60, 12);
    // Until it draws anew, what it drew before is broken over two rows.
    let narrow = Condition::all([table("%MEM"), !Condition::text("COMMAND")]);
    stage.shows(narrow, "narrow");
    stage.resize(100, 30);
    // Until then, there is room again for what it drew before.
    let once = Condition::new("one picture", |screen: &Screen| {
        let heads = screen.rows.iter();
        heads.filter(|row| row.text().starts_with("top - ")).count() == 1
    });
    stage.shows(Condition::all([table("COMMAND"), once]), "wide");
    stage.types("q");
    stage.ends();
}

/// A pager that was called from a shell.
pub(super) fn less(record: RecordOptions) {
    let script =
        "seq -f 'line %g of a hundred' 100 >text; echo before; less text; echo after; read end";
    let stage = Stage::sh(record, script);
    // The name of the file is what it draws last.
    stage.shows("line 23 of a hundred\ntext", "drawn");
    stage.press(Key::Down);
    stage.shows(
        Condition::all([top_row("line 2 of a hundred"), cursor(23, 1)]),
        "a line down",
    );
    stage.press(Key::Space);
    stage.shows(
        Condition::all([top_row("line 25 of a hundred"), cursor(23, 1)]),
        "a page down",
    );
    stage.types("/7 of");
    stage.press(Key::Enter);
    stage.shows(
        Condition::all([top_row("line 27 of a hundred"), cursor(23, 1)]),
        "found",
    );
    stage.types("G");
    stage.shows("line 100 of a hundred\n(END)", "the last page");
    stage.types("q");
    stage.shows("after", "left");
    stage.press(Key::Enter);
    stage.ends();
}

/// An editor on the alternate screen, without anybody's settings.
pub(super) fn vim(record: RecordOptions) {
    let plain = "-u NONE -N -i NONE -n --cmd 'set ttimeout ttimeoutlen=50'";
    let stage = Stage::sh(record, &format!("echo before; vim {plain}; echo after"));
    stage.shows("VIM - Vi IMproved", "drawn");
    stage.types("ione\ntwo\nthree");
    let typed = Condition::all([Condition::text("one\ntwo\nthree\n~"), cursor(2, 5)]);
    stage.shows(typed, "typed");
    stage.press(Key::Esc);
    stage.waits(cursor(2, 4));
    stage.types("kk0");
    stage.shows(cursor(0, 0), "moved");
    stage.types("dd");
    let out = [top_row("two"), !Condition::text("one"), cursor(0, 0)];
    stage.shows(Condition::all(out), "taken out");
    stage.types("p");
    stage.shows(
        Condition::all([Condition::text("two\none\nthree\n~"), cursor(1, 0)]),
        "put back",
    );
    stage.types("Go");
    stage.types(&"0123456789".repeat(3));
    stage.waits(cursor(3, 30));
    stage.press(Key::Esc);
    stage.waits(cursor(3, 29));
    stage.resize(20, 8);
    let broken = Condition::text("01234567890123456789\n0123456789\n~");
    stage.shows(Condition::all([broken, cursor(4, 9)]), "narrow");
    stage.resize(60, 10);
    let whole = Condition::text("012345678901234567890123456789\n~\n~");
    stage.shows(Condition::all([whole, cursor(3, 29)]), "wide");
    stage.types(":q!\n");
    stage.ends();
}

/// An editor with a title, help lines and a question before it leaves.
pub(super) fn nano(record: RecordOptions) {
    let stage = Stage::sh(record, "nano --ignorercfiles notes.txt");
    let drawn = Condition::all([
        Condition::text("^X Exit"),
        Condition::text("[ New File ]"),
        cursor(1, 0),
    ]);
    stage.shows(drawn, "drawn");
    stage.types("one\nthree");
    let typed = Condition::all([
        Condition::text("one\nthree"),
        Condition::text("Modified"),
        cursor(2, 5),
    ]);
    stage.shows(typed, "typed");
    stage.press(Key::Up);
    stage.waits(cursor(1, 3));
    stage.press(Key::Home);
    stage.shows(cursor(1, 0), "moved");
    stage.types("zero ");
    stage.shows(
        Condition::all([Condition::text("zero one\nthree"), cursor(1, 5)]),
        "changed",
    );
    stage.press(Key::Char('x').ctrl());
    let asked = Condition::all(["Save modified buffer?", "^C Cancel"]);
    stage.shows(
        Condition::all([asked, !Condition::text("^X Exit")]),
        "asked",
    );
    stage.types("n");
    stage.ends();
}

/// A box with two buttons, of which one is chosen.
pub(super) fn dialog(record: RecordOptions) {
    let stage = Stage::sh(record, "exec dialog --yesno 'Shall we?' 7 30");
    // Where the cursor is on the first letter of a button, in an 80 by 24 terminal.
    let (yes, no) = (|| cursor(13, 32), || cursor(13, 42));
    let question = || Condition::text("Shall we?");
    stage.shows(Condition::all([question(), yes()]), "drawn");
    stage.press(Key::Tab);
    stage.shows(Condition::all([question(), no()]), "the other button");
    stage.press(Key::Left);
    stage.shows(Condition::all([question(), yes()]), "back");
    stage.press(Key::Right);
    stage.waits(no());
    stage.press(Key::Enter);
    stage.ends();
}
