//! Recorded programs: the output of real programs, with checkpoints.
//!
//! A program is recorded by a tape, and stored as an asciicast whose markers are the checkpoints:
//! moments at which the program was quiet, and the end. Times carry no information.

use std::time::Duration;

use screentest_core::Size;
use screentest_core::formats::asciicast::{
    Cast, CastEncoder, CastEvent, CastEventKind, CastHeader, CastVersion,
};

/// Maximum number of checkpoints of a program.
const CHECKPOINTS: usize = 6;
/// A program that writes nothing for so long is quiet.
const QUIET: Duration = Duration::from_millis(120);

/// The output of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// Size of the terminal.
    pub size: Size,
    bytes: Vec<u8>,
    /// Lengths of the output at the checkpoints, ascending.
    checkpoints: Vec<usize>,
}

impl Program {
    /// Returns the output up to each checkpoint.
    pub fn checkpoints(&self) -> impl Iterator<Item = &[u8]> {
        self.checkpoints.iter().map(|end| &self.bytes[..*end])
    }

    /// Returns the output.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// Reads a stored program.
pub fn read(file: &[u8]) -> Result<Program, String> {
    let cast = Cast::parse(file).map_err(|error| error.to_string())?;
    let mut program = Program {
        size: cast.header.size,
        bytes: Vec::new(),
        checkpoints: Vec::new(),
    };
    for event in cast.events {
        match event.kind {
            CastEventKind::Output(text) => program.bytes.extend(text.bytes()),
            CastEventKind::Marker(_) => program.checkpoints.push(program.bytes.len()),
            other => return Err(format!("unexpected event {other:?}")),
        }
    }
    match program.checkpoints.last() {
        Some(last) if *last == program.bytes.len() => Ok(program),
        _ => Err("no checkpoint at the end".to_owned()),
    }
}

/// Reduces a recording to its output and the checkpoints. If there are too many quiet moments, the
/// longest pauses are kept.
pub fn reduce(recording: &[u8]) -> Result<Program, String> {
    let cast = Cast::parse(recording).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    let mut pauses = Vec::new();
    let mut last = Duration::ZERO;
    for event in cast.events {
        match event.kind {
            CastEventKind::Output(text) => {
                let pause = event.time.saturating_sub(last);
                if pause >= QUIET && !bytes.is_empty() {
                    pauses.push((pause, bytes.len()));
                }
                last = event.time;
                bytes.extend(text.bytes());
            }
            CastEventKind::Resize(_) => return Err("resizes are not compared".to_owned()),
            _ => {}
        }
    }
    pauses.sort_by(|one, other| other.cmp(one));
    pauses.truncate(CHECKPOINTS - 1);
    let mut checkpoints: Vec<usize> = pauses.into_iter().map(|(_, at)| at).collect();
    checkpoints.push(bytes.len());
    checkpoints.sort_unstable();
    Ok(Program {
        size: cast.header.size,
        bytes,
        checkpoints,
    })
}

/// Writes a program as it is stored.
pub fn write(program: &Program) -> Vec<u8> {
    let mut encoder = CastEncoder::new(CastVersion::Two);
    let mut file = encoder.header(&CastHeader::new(program.size));
    let mut from = 0;
    for (number, end) in (1..).zip(&program.checkpoints) {
        let text = String::from_utf8_lossy(&program.bytes[from..*end]).into_owned();
        let events = [
            CastEventKind::Output(text),
            CastEventKind::Marker(number.to_string()),
        ];
        for kind in events {
            let time = Duration::from_secs(number);
            file.extend(encoder.event(&CastEvent { time, kind }));
        }
        from = *end;
    }
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_is_reduced_to_its_quiet_moments() {
        let recording = b"{\"version\":2,\"width\":9,\"height\":3}\n\
            [0.5,\"o\",\"a\"]\n[0.51,\"o\",\"b\"]\n[0.9,\"i\",\"x\"]\n[1.0,\"o\",\"c\"]\n";
        let program = reduce(recording).unwrap();
        let parts: Vec<&[u8]> = program.checkpoints().collect();
        assert_eq!(parts, [&b"ab"[..], b"abc"]);
        assert_eq!(read(&write(&program)), Ok(program));
    }
}
