//! Masks secrets on the screens that callers receive.
//!
//! Screens are masked when they are published, so every later query uses masked screens; a wait for
//! a part of a secret reveals nothing. A secret is masked where it appears completely. If all or
//! most of a secret has appeared in a row and other text then overwrites a part of it, the rest
//! stays masked.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};

use screentest_core::{Row, Screen, Secrets, State};

use crate::lock::lock;

/// Maximum number of stored rows with parts of a secret. They are stored to recognise them when
/// they scroll or are shown again.
const MAX_ROWS: usize = 256;

/// Masks the secrets of one session.
#[derive(Debug)]
pub(crate) struct ScreenRedactor {
    secrets: Secrets,
    remains: Mutex<Remains>,
}

/// Where parts of secrets are.
#[derive(Debug, Default)]
struct Remains {
    /// For each row of the last screen, whether it held a secret or a part of one that was there
    /// completely.
    held: Vec<bool>,
    /// Rows with only a part.
    rows: VecDeque<Arc<Row>>,
}

impl ScreenRedactor {
    pub(crate) fn new(secrets: Secrets) -> ScreenRedactor {
        ScreenRedactor {
            secrets,
            remains: Mutex::default(),
        }
    }

    /// Masks a new screen, given the previous ones.
    pub(crate) fn redact_screen(&self, screen: Screen) -> Screen {
        if self.secrets.is_empty() {
            return screen;
        }
        let covered = self.secrets.screen(&screen);
        let mut remains = self.remains();
        let mut held = Vec::with_capacity(screen.rows.len());
        let mut parts = Vec::new();
        for (index, (row, seen)) in screen.rows.iter().zip(&covered.rows).enumerate() {
            let whole = row != seen;
            let was = remains.held.get(index) == Some(&true)
                || remains.rows.contains(row)
                || self.secrets.contains_most(seen.text());
            let part = (whole || was) && self.secrets.contains_part(seen.text());
            if part {
                parts.push(index);
            }
            if part && !whole && !remains.rows.contains(row) {
                remains.rows.truncate(MAX_ROWS - 1);
                remains.rows.push_front(Arc::clone(row));
            }
            held.push(whole || part);
        }
        remains.held = held;
        self.secrets.redact_parts(covered, &parts)
    }

    /// Masks a screen with its scrollback.
    pub(crate) fn redact_state(&self, state: State) -> State {
        if self.secrets.is_empty() {
            return state;
        }
        let covered = self.secrets.state(&state);
        let remains = self.remains();
        let kept = |row: &Arc<Row>| remains.rows.contains(row);
        let held = |index: usize| remains.held.get(index) == Some(&true);
        let rows = state.screen.rows.iter().enumerate();
        let parts: Vec<usize> = rows
            .filter(|(index, row)| held(*index) || kept(row))
            .map(|(index, _)| index)
            .collect();
        let size = covered.screen.size;
        let above = covered.scrollback.into_iter().zip(&state.scrollback);
        let above = above.map(|(seen, row)| {
            if kept(row) {
                self.secrets.redact_parts_in_row(&seen, size.cols)
            } else {
                seen
            }
        });
        State {
            scrollback: above.collect(),
            screen: self.secrets.redact_parts(covered.screen, &parts),
        }
    }

    /// Masks rows of the scrollback.
    pub(crate) fn redact_scrollback(&self, rows: Vec<Arc<Row>>, screen: &Screen) -> Vec<Arc<Row>> {
        let state = State {
            screen: Screen::blank(screen.size),
            scrollback: rows,
        };
        self.redact_state(state).scrollback
    }

    fn remains(&self) -> MutexGuard<'_, Remains> {
        lock(&self.remains)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use screentest_core::emulator::EmulatorOptions;
    use screentest_core::{Backend, Emulator, Size};

    /// A terminal whose every screen is published through a mask.
    struct MaskedTerminal {
        emulator: Box<dyn Emulator>,
        redactor: ScreenRedactor,
    }

    impl MaskedTerminal {
        fn new() -> MaskedTerminal {
            let mut secrets = Secrets::default();
            secrets.add("KEY", "correct-horse").unwrap();
            let size = Size { cols: 20, rows: 3 };
            MaskedTerminal {
                emulator: Backend::default().emulator(size, EmulatorOptions::default()),
                redactor: ScreenRedactor::new(secrets),
            }
        }

        #[track_caller]
        fn check(&mut self, output: &str, shown: &str) {
            self.emulator.feed(output.as_bytes());
            assert_eq!(
                self.redactor.redact_screen(self.emulator.screen()).text(),
                shown
            );
            let state = self.redactor.redact_state(self.emulator.state(10));
            assert_eq!(state.screen.text(), shown);
        }
    }

    #[test]
    fn the_rest_of_an_overwritten_secret_stays_masked() {
        let mut terminal = MaskedTerminal::new();
        terminal.check("pw: correct-horse", "pw: ▒▒▒▒▒▒▒▒▒▒▒▒▒\n");
        // Another text over its beginning.
        terminal.check("\rDONE----", "DONE----▒▒▒▒▒▒▒▒▒\n");
        // A character taken out moves the rest.
        terminal.check("\x1b[P", "DONE----▒▒▒▒▒▒▒▒\n");
        // Two characters say little, and belong to other words too.
        terminal.check("\x1b[2C\x1b[K", "DONE----ct\n");
        terminal.check("\r\x1b[Ka horse", "a horse\n");
    }

    #[test]
    fn the_rest_of_a_secret_stays_masked_when_it_scrolls_or_is_shown_again() {
        let mut terminal = MaskedTerminal::new();
        // No screen has shown all of it.
        terminal.check("correct-horse\rXX", "XX▒▒▒▒▒▒▒▒▒▒▒\n");
        terminal.check("\rthe only", "the only▒▒▒▒▒\n");
        terminal.check("\x1b[?1049h", "");
        terminal.check("\x1b[?1049l", "the only▒▒▒▒▒\n");
        terminal.check("\r\n\r\n\r\n\r\nnext", "\n\nnext\n");
        let state = terminal.redactor.redact_state(terminal.emulator.state(10));
        assert_eq!(state.scrollback[0].text(), "the only▒▒▒▒▒");
        let above = terminal
            .redactor
            .redact_scrollback(terminal.emulator.scrollback(10), &state.screen);
        assert_eq!(above[0].text(), "the only▒▒▒▒▒");
    }

    #[test]
    fn a_word_that_is_also_part_of_a_secret_is_shown_elsewhere() {
        let mut terminal = MaskedTerminal::new();
        terminal.check("the correct way", "the correct way\n");
    }
}
