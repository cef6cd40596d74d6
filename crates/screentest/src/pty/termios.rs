//! Terminal settings (termios).
//!
//! Echo, line editing, signals from keys, flow control: programs change them and should restore
//! them. Speeds, parity and delays are left out, because they matter only on a serial line.

use bitflags::bitflags;

/// The settings of a terminal at two moments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineState {
    /// Before the program was started.
    pub first: LineSettings,
    /// Now.
    pub now: LineSettings,
}

/// The settings of a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineSettings {
    /// The enabled settings.
    pub flags: LineFlags,
    /// How many bytes a read waits for while ICANON is off (VMIN).
    pub min: u8,
    /// How many tenths of a second a read waits while ICANON is off (VTIME).
    pub time: u8,
}

bitflags! {
    /// Settings of a terminal, named as in `stty` and `termios.h`.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub struct LineFlags: u32 {
        /// Breaks are ignored.
        const IGNBRK = 1 << 0;
        /// A break interrupts.
        const BRKINT = 1 << 1;
        /// Faulty bytes are marked.
        const PARMRK = 1 << 2;
        /// The eighth bit is cut off.
        const ISTRIP = 1 << 3;
        /// NL is read as CR.
        const INLCR = 1 << 4;
        /// CR is dropped.
        const IGNCR = 1 << 5;
        /// CR is read as NL.
        const ICRNL = 1 << 6;
        /// Ctrl+S and Ctrl+Q stop and start the output.
        const IXON = 1 << 7;
        /// The terminal is stopped when input overflows.
        const IXOFF = 1 << 8;
        /// Output is processed at all.
        const OPOST = 1 << 9;
        /// NL is written as CR and NL.
        const ONLCR = 1 << 10;
        /// Typed characters are echoed.
        const ECHO = 1 << 11;
        /// Erasing a character removes it from the screen.
        const ECHOE = 1 << 12;
        /// Killing a line starts a new line.
        const ECHOK = 1 << 13;
        /// NL is echoed even without ECHO.
        const ECHONL = 1 << 14;
        /// Input is edited and read line by line.
        const ICANON = 1 << 15;
        /// Ctrl+C and similar keys send signals.
        const ISIG = 1 << 16;
        /// Ctrl+V and similar keys are special.
        const IEXTEN = 1 << 17;
        /// A signal does not discard typed input.
        const NOFLSH = 1 << 18;
        /// Jobs in the background stop when they print.
        const TOSTOP = 1 << 19;
    }
}

impl LineSettings {
    /// The settings of a new kernel terminal: canonical mode, echo, signals from keys.
    pub const COOKED: LineSettings = LineSettings {
        flags: LineFlags::ICRNL
            .union(LineFlags::IXON)
            .union(LineFlags::OPOST)
            .union(LineFlags::ONLCR)
            .union(LineFlags::ECHO)
            .union(LineFlags::ECHOE)
            .union(LineFlags::ECHOK)
            .union(LineFlags::ICANON)
            .union(LineFlags::ISIG)
            .union(LineFlags::IEXTEN),
        min: 1,
        time: 0,
    };
}

impl LineState {
    /// Describes the changed settings, one short text each: `ECHO is off`. VMIN and VTIME count
    /// only without ICANON.
    pub fn differences(&self) -> Vec<String> {
        let (first, now) = (self.first, self.now);
        let changed = first.flags.symmetric_difference(now.flags);
        let mut words: Vec<String> = changed
            .iter_names()
            .map(|(name, flag)| {
                let state = if now.flags.contains(flag) {
                    "on"
                } else {
                    "off"
                };
                format!("{name} is {state}")
            })
            .collect();
        if !now.flags.contains(LineFlags::ICANON) {
            for (name, before, after) in [
                ("VMIN", first.min, now.min),
                ("VTIME", first.time, now.time),
            ] {
                if before != after {
                    words.push(format!("{name} is {after}"));
                }
            }
        }
        words
    }
}
