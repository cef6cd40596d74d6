//! How a terminal treats bytes on their way between a person and a program (termios).
//!
//! Echo, line editing, signals from keys, flow control: programs turn them off and should put them back. Only the settings that
//! a terminal without a wire has are here; speeds and parities mean nothing to it.

use bitflags::bitflags;

/// The settings of a terminal at two moments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    /// Before the program was started.
    pub first: LineSettings,
    /// Now.
    pub now: LineSettings,
}

/// The settings of a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineSettings {
    /// What is on.
    pub flags: LineFlags,
    /// How many bytes a read waits for where ICANON is off (VMIN).
    pub min: u8,
    /// How many tenths of a second it waits (VTIME).
    pub time: u8,
}

bitflags! {
    /// What a terminal does with bytes, by the names that `stty` and `termios.h` have for it.
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
        /// What is typed is shown.
        const ECHO = 1 << 11;
        /// Erasing a character takes it off the screen.
        const ECHOE = 1 << 12;
        /// Killing a line begins a new one.
        const ECHOK = 1 << 13;
        /// NL is shown even without echo.
        const ECHONL = 1 << 14;
        /// Input is edited and read line by line.
        const ICANON = 1 << 15;
        /// Ctrl+C and the like send signals.
        const ISIG = 1 << 16;
        /// Ctrl+V and the like are special.
        const IEXTEN = 1 << 17;
        /// A signal does not flush what was typed.
        const NOFLSH = 1 << 18;
        /// Jobs in the background stop when they print.
        const TOSTOP = 1 << 19;
    }
}

impl LineSettings {
    /// As a kernel hands out a new terminal: lines are edited and shown, keys send signals.
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

impl Line {
    /// What is not as it was, each in a few words: `ECHO is off`. How long a read waits counts only where it does.
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
