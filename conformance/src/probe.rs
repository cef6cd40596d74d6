//! Probes: short outputs whose effect is compared.
//!
//! A file of probes is about one topic:
//!
//! ```text
//! # Comments begin with a number sign.
//!
//! probe: CUD stops at the bottom margin
//! size: 20x6
//! bytes: \e[2;4r\e[3;1H
//! bytes: ab\e[9Bx
//! differs: replies: the reason why this difference is right
//! ```
//!
//! `size` is 20x6 if it is left out. Several lines of `bytes` are joined. `differs` names the
//! aspects in which our emulator deliberately differs, and the reason; it may be repeated.

use std::collections::BTreeMap;

use screentest_core::Size;

use crate::difference::Aspect;
use crate::notation;

/// The size of a probe that names none: small, so that answers can be reviewed.
pub const SIZE: Size = Size { cols: 20, rows: 6 };

/// One probe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    /// What the probe shows, in words; unique within its file.
    pub name: String,
    /// Size of the terminal.
    pub size: Size,
    /// Output of the imagined program.
    pub bytes: Vec<u8>,
    /// The aspects in which a difference is right, each with its reason.
    pub differs: BTreeMap<Aspect, String>,
}

/// Parses a file. The error names the line.
pub fn parse(text: &str) -> Result<Vec<Probe>, String> {
    let mut probes: Vec<Probe> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let at = |message: String| format!("line {}: {message}", index + 1);
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (key, value) = line
            .split_once(':')
            .ok_or_else(|| at(format!("`{line}` has no colon")))?;
        let value = value.trim();
        if key == "probe" {
            if probes.iter().any(|probe| probe.name == value) {
                return Err(at(format!("a second probe `{value}`")));
            }
            probes.push(Probe {
                name: value.to_owned(),
                size: SIZE,
                bytes: Vec::new(),
                differs: BTreeMap::new(),
            });
            continue;
        }
        let probe = probes
            .last_mut()
            .ok_or_else(|| at(format!("`{key}` before the first probe")))?;
        match key {
            "size" => {
                probe.size = size(value).ok_or_else(|| at(format!("`{value}` is no size")))?;
            }
            "bytes" => probe.bytes.extend(notation::decode(value).map_err(at)?),
            "differs" => {
                let (aspects, reason) = value
                    .split_once(": ")
                    .ok_or_else(|| at("a difference needs a reason".to_owned()))?;
                for aspect in aspects.split(',') {
                    let aspect = aspect.trim().parse().map_err(at)?;
                    probe.differs.insert(aspect, reason.trim().to_owned());
                }
            }
            _ => return Err(at(format!("`{key}` is not known"))),
        }
    }
    match probes.iter().find(|probe| probe.bytes.is_empty()) {
        Some(empty) => Err(format!("probe `{}` has no bytes", empty.name)),
        None => Ok(probes),
    }
}

/// Parses `COLUMNSxROWS`.
pub(crate) fn size(text: &str) -> Option<Size> {
    let (cols, rows) = text.split_once('x')?;
    Size::checked(cols.parse().ok()?, rows.parse().ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_probe_has_a_name_a_size_bytes_and_reasons() {
        let text = "# topic\n\nprobe: one\nbytes: a\\e[1m\nbytes: b\n\
                    probe: two\nsize: 80x24\nbytes: x\ndiffers: text, style: xterm is old\n";
        let probes = parse(text).unwrap();
        assert_eq!(probes[0].bytes, b"a\x1b[1mb");
        assert_eq!(probes[0].size, SIZE);
        assert_eq!(probes[1].size, Size::new(80, 24));
        assert_eq!(probes[1].differs[&Aspect::Text], "xterm is old");
        assert_eq!(probes[1].differs.len(), 2);
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        for (text, error) in [
            ("bytes: a", "line 1: `bytes` before the first probe"),
            ("probe: a\nsize: big", "line 2: `big` is no size"),
            ("probe: a\nbytes: x\nprobe: a", "line 3: a second probe `a`"),
            ("probe: a\nbytes: \\q", "line 2: `\\q` is not known"),
            (
                "probe: a\ndiffers: text",
                "line 2: a difference needs a reason",
            ),
            (
                "probe: a\ndiffers: smell: x",
                "line 2: `smell` is not an aspect",
            ),
            ("probe: a\n", "probe `a` has no bytes"),
        ] {
            assert_eq!(parse(text).unwrap_err(), error);
        }
    }
}
