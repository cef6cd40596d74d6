//! Dispatch of sequences to their effects.
//!
//! The parser calls [`Terminal`] for every sequence. The files of this folder map them to
//! operations of the terminal, or reply.

use vte::Perform;

use super::parsing::params::{self, Params, SimpleSequence};
use super::terminal::Terminal;
use dcs::DcsRequest;
use images::StringKind;

mod capabilities;
mod csi;
pub(super) mod dcs;
mod esc;
pub(super) mod images;
mod osc;
mod presentation;
mod queries;
mod replies;
mod sgr;
mod titles;

impl Perform for Terminal {
    #[inline]
    fn print(&mut self, c: char) {
        // The parser prints only between sequences, so it has dropped the sequence before this
        // character without another callback.
        self.sequence_done = true;
        if c == '\u{7f}' {
            self.preceding = None;
        } else {
            self.print_char(c);
        }
    }

    #[inline]
    fn execute(&mut self, byte: u8) {
        // CAN and SUB end any sequence in progress.
        if matches!(byte, 0x18 | 0x1a) {
            self.sequence_done = true;
        }
        // Between sequences, and not inside of one.
        if self.sequence_done {
            self.preceding = None;
        }
        self.control(byte);
    }

    fn hook(&mut self, params: &vte::Params, intermediates: &[u8], ignore: bool, action: char) {
        self.preceding = None;
        let params = params.into();
        self.request = if ignore {
            None
        } else {
            DcsRequest::new(&params, intermediates, action)
        };
        if (intermediates, action, ignore) == (&[], 'q', false) {
            self.begin_string(StringKind::Sixel);
        } else if self.request.is_none() {
            self.unknown(name("DCS", &params, intermediates, action));
        }
    }

    fn put(&mut self, byte: u8) {
        if let Some(request) = &mut self.request {
            request.push(byte);
        }
        self.put_string(&[byte]);
    }

    fn unhook(&mut self) {
        if let Some(request) = self.request.take() {
            self.perform_dcs(&request);
        }
        self.end_string();
    }

    fn csi_dispatch(
        &mut self,
        params: &vte::Params,
        intermediates: &[u8],
        ignore: bool,
        action: char,
    ) {
        self.sequence_done = true;
        if ignore
            && matches!(
                (intermediates, action),
                ([], 'm') | ([] | [b'?'], 'h' | 'l')
            )
        {
            // It has more parameters than `vte` reads.
            let raw = std::mem::take(&mut self.raw_sequence);
            params::read_many(&raw, |params| {
                self.control_sequence(params, intermediates, false, action);
            });
            self.raw_sequence = raw;
        } else {
            self.control_sequence(&params.into(), intermediates, ignore, action);
        }
    }

    fn esc_dispatch(&mut self, intermediates: &[u8], _ignore: bool, byte: u8) {
        self.sequence_done = true;
        // The string terminator is the end of a sequence that was already handled.
        if (intermediates, byte) != (&[], b'\\') {
            self.preceding = None;
        }
        if !self.esc(intermediates, byte) {
            let intermediates = String::from_utf8_lossy(intermediates);
            self.unknown(format!("ESC {intermediates}{}", char::from(byte)));
        }
    }

    #[inline]
    fn terminated(&self) -> bool {
        self.sequence_done
    }
}

impl Terminal {
    /// Handles a control sequence of the simple form.
    #[inline]
    pub(super) fn simple_sequence(&mut self, sequence: &SimpleSequence) {
        self.control_sequence(
            &sequence.params,
            sequence.mark.as_slice(),
            false,
            sequence.action,
        );
    }

    #[inline]
    fn control_sequence(
        &mut self,
        params: &Params,
        intermediates: &[u8],
        ignore: bool,
        action: char,
    ) {
        // As in xterm, colons are only known in colours and underlines.
        let is_graphics = intermediates.is_empty() && action == 'm';
        let is_known = !ignore
            && (is_graphics || !params.has_subparameters())
            && self.csi(params, intermediates, action);
        // REP repeats a character only directly after it, as in xterm.
        self.preceding = None;
        if !is_known {
            let sequence = name("CSI", params, intermediates, action);
            if queries::is_query(params, intermediates, action) {
                self.notes.add_unanswered(sequence.clone());
            }
            self.unknown(sequence);
        }
    }
}

/// Returns a sequence for messages: `CSI ? 69 h`.
pub(super) fn name(kind: &str, params: &Params, intermediates: &[u8], action: char) -> String {
    let numbers = params
        .iter()
        .map(|param| {
            let parts: Vec<String> = param.iter().map(u16::to_string).collect();
            parts.join(":")
        })
        .collect::<Vec<_>>()
        .join(";");
    // The private marks `<=>?` come before the numbers, other intermediates after them.
    let (before, after): (Vec<u8>, Vec<u8>) = intermediates
        .iter()
        .partition(|b| (0x3c..=0x3f).contains(*b));
    [
        kind,
        &String::from_utf8_lossy(&before),
        &numbers,
        &String::from_utf8_lossy(&after),
        &action.to_string(),
    ]
    .iter()
    .filter(|part| !part.is_empty())
    .copied()
    .collect::<Vec<_>>()
    .join(" ")
}
