//! Observes our own emulator, through the public trait.

use screentest_core::emulator::EmulatorOptions;
use screentest_core::{Backend, Emulator, Modes, Rgb, Screen, Size, Theme, Width};

use crate::observation::{self, Cell, CursorState, MAX_SCROLLBACK, Observation, SCROLLBACK};

/// CAN, which ends an incomplete sequence. xterm could not be asked otherwise, so both terminals
/// get it.
pub const END: u8 = 0x18;

/// The colours of an xterm without settings, because a program can ask for them.
pub fn theme() -> Theme {
    let ansi = [
        0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5, 0x7f7f7f,
        0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
    ];
    Theme {
        name: "xterm".into(),
        fg: Rgb::hex(0x000000),
        bg: Rgb::hex(0xffffff),
        cursor: Rgb::hex(0x000000),
        ansi: ansi.map(Rgb::hex),
        ..Theme::LIGHT
    }
}

/// Creates a terminal that is comparable with xterm.
pub fn terminal(backend: Backend, size: Size) -> Box<dyn Emulator> {
    let options = EmulatorOptions {
        scrollback: MAX_SCROLLBACK,
        theme: theme(),
        ..EmulatorOptions::default()
    };
    backend.emulator(size, options)
}

/// Returns the state of a new terminal after some output.
pub fn observe(backend: Backend, size: Size, bytes: &[u8]) -> Observation {
    let mut terminal = terminal(backend, size);
    terminal.feed(bytes);
    terminal.feed(&[END]);
    // xterm shows an unfinished synchronized update, so ours does too.
    terminal.end_synchronized();
    let replies = terminal.take_replies();
    let state = terminal.state(MAX_SCROLLBACK);
    let texts = state.scrollback.iter().map(|row| row.text().to_owned());
    let mut scrollback: Vec<String> = texts.collect();
    let scrolled = scrollback.len();
    scrollback.drain(..scrolled.saturating_sub(SCROLLBACK));
    let screen = state.screen;
    Observation {
        size: screen.size,
        rows: (0..screen.rows.len())
            .map(|row| cells(&screen, row))
            .collect(),
        cursor: CursorState {
            row: screen.cursor.position.row,
            col: screen.cursor.position.col,
            pending_wrap: screen.cursor.pending_wrap,
            visible: screen.cursor.visible,
            shape: format!("{:?}", screen.cursor.shape).to_lowercase(),
            blinking: screen.cursor.blinking,
        },
        title: screen.title.to_string(),
        modes: modes(&screen.modes),
        replies,
        scrolled,
        scrollback,
    }
}

fn cells(screen: &Screen, row: usize) -> Vec<Cell> {
    let row = &screen.rows[row];
    let cells = row.cells().map(|view| {
        let mut text = String::new();
        view.push_to(&mut text);
        Cell {
            // A cell that holds NUL or nothing shows a space.
            text: match (view.width, text.as_str()) {
                (Width::Spacer, _) => String::new(),
                (_, "" | "\0") => " ".to_owned(),
                _ => text,
            },
            width: view.width,
            style: *view.style,
        }
    });
    observation::normalise(cells.collect())
}

/// Returns the modes that are not as in a new terminal. The names of mouse modes are those of our
/// types, so that a new one needs no change here.
fn modes(modes: &Modes) -> Vec<String> {
    let plain = Modes::default();
    let flags = [
        (
            "alternate_screen",
            modes.alternate_screen,
            plain.alternate_screen,
        ),
        (
            "application_cursor",
            modes.application_cursor,
            plain.application_cursor,
        ),
        (
            "application_keypad",
            modes.application_keypad,
            plain.application_keypad,
        ),
        (
            "bracketed_paste",
            modes.bracketed_paste,
            plain.bracketed_paste,
        ),
        ("focus_events", modes.focus_events, plain.focus_events),
        (
            "alternate_scroll",
            modes.alternate_scroll,
            plain.alternate_scroll,
        ),
        ("autowrap", modes.autowrap, plain.autowrap),
        ("origin", modes.origin, plain.origin),
        ("insert", modes.insert, plain.insert),
        ("newline", modes.newline, plain.newline),
    ];
    let changed = flags.iter().filter(|(_, is, was)| is != was);
    let mut names: Vec<String> = changed
        .map(|(name, on, _)| format!("{}{name}", if *on { '+' } else { '-' }))
        .collect();
    if modes.mouse != plain.mouse {
        names.push(format!("mouse={:?}", modes.mouse).to_lowercase());
    }
    if modes.mouse_encoding != plain.mouse_encoding {
        names.push(format!("encoding={:?}", modes.mouse_encoding).to_lowercase());
    }
    names
}
