//! Reads a command of the kitty graphics protocol: `G`, keys, `;`, data in base64.

use super::super::base64::Base64Decoder;
use super::{KittyError, MAX_DATA};

/// A command while it arrives. Data is decoded as it arrives, so that it is stored only once.
#[derive(Debug, Default)]
pub(crate) struct KittyReader {
    keys: Vec<u8>,
    in_data: bool,
    base64: Base64Decoder,
    data: Vec<u8>,
    encoded: u64,
}

/// A complete command.
#[derive(Debug)]
pub(crate) struct ReceivedCommand {
    pub(super) command: KittyCommand,
    /// Its keys as they were received.
    pub(super) keys: Vec<u8>,
    pub(super) data: Vec<u8>,
    /// Size of the data in base64.
    pub(super) encoded: u64,
}

impl KittyReader {
    /// Maximum length of the keys: more than all keys with the largest numbers take.
    const MAX_KEYS: usize = 1024;

    /// Processes bytes of the string after the `G`.
    pub(crate) fn put(&mut self, bytes: &[u8]) {
        let data = if self.in_data {
            bytes
        } else {
            let end = memchr::memchr(b';', bytes);
            let (keys, data) = bytes.split_at(end.unwrap_or(bytes.len()));
            let room = KittyReader::MAX_KEYS + 1 - self.keys.len();
            self.keys.extend_from_slice(&keys[..keys.len().min(room)]);
            self.in_data = end.is_some();
            data.get(1..).unwrap_or_default()
        };
        self.encoded += data.len() as u64;
        // One more byte than allowed shows that there was too much.
        self.base64.put(data, &mut self.data, MAX_DATA + 1);
    }

    /// Returns the keys as they were received, for messages.
    pub(crate) fn keys(&self) -> &[u8] {
        &self.keys
    }

    /// Returns the command; `None` if it is malformed, in which case it has no effect and no
    /// answer.
    pub(crate) fn finish(mut self) -> Option<ReceivedCommand> {
        let is_valid = self.base64.finish(&mut self.data, MAX_DATA + 1);
        let command = KittyCommand::parse(&self.keys)?;
        is_valid.then_some(ReceivedCommand {
            command,
            keys: self.keys,
            data: self.data,
            encoded: self.encoded,
        })
    }
}

/// The keys of a command; those that were not sent have their default values. Some have another
/// meaning in other actions: see the protocol's reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KittyCommand {
    /// `a`: what to do.
    pub(crate) action: u8,
    /// `q`: which answers to suppress; `None` if not sent.
    pub(crate) quiet: Option<u32>,
    /// `i` and `I`: the image.
    pub(crate) id: u32,
    pub(crate) number: u32,
    /// `p`: the placement.
    pub(crate) placement: u32,
    /// `f`, `t`, `o`, `m`, `s` and `v`: the data.
    pub(crate) format: u32,
    pub(crate) medium: u8,
    pub(crate) compression: Option<u8>,
    pub(crate) more: bool,
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// `x`, `y`, `w` and `h`: the part of the image.
    pub(crate) x: u32,
    pub(crate) y: u32,
    pub(crate) w: u32,
    pub(crate) h: u32,
    /// `X` and `Y`: the offset in the first cell.
    pub(crate) offset_x: u32,
    pub(crate) offset_y: u32,
    /// `c` and `r`: the size in cells.
    pub(crate) cols: u32,
    pub(crate) rows: u32,
    /// `C`: 1 leaves the cursor where it is.
    pub(crate) cursor: u32,
    /// `U`: 1 makes a placement for placeholder characters.
    pub(crate) is_virtual: bool,
    /// `z`: the drawing order.
    pub(crate) z: i32,
    /// `P`, `Q`, `H` and `V`: the placement that this one is relative to.
    pub(crate) parent: u32,
    pub(crate) parent_placement: u32,
    pub(crate) parent_cols: i32,
    pub(crate) parent_rows: i32,
    /// `d`: what to delete.
    pub(crate) delete: u8,
}

impl Default for KittyCommand {
    fn default() -> KittyCommand {
        KittyCommand {
            action: b't',
            quiet: None,
            id: 0,
            number: 0,
            placement: 0,
            format: 32,
            medium: b'd',
            compression: None,
            more: false,
            width: 0,
            height: 0,
            x: 0,
            y: 0,
            w: 0,
            h: 0,
            offset_x: 0,
            offset_y: 0,
            cols: 0,
            rows: 0,
            cursor: 0,
            is_virtual: false,
            z: 0,
            parent: 0,
            parent_placement: 0,
            parent_cols: 0,
            parent_rows: 0,
            delete: b'a',
        }
    }
}

impl KittyCommand {
    /// Parses `key=value` pairs. Returns `None` if a key or a value is not valid.
    pub(super) fn parse(keys: &[u8]) -> Option<KittyCommand> {
        let mut command = KittyCommand::default();
        if keys.is_empty() {
            return Some(command);
        }
        if keys.len() > KittyReader::MAX_KEYS {
            return None;
        }
        for pair in keys.split(|byte| *byte == b',') {
            let [key, b'=', value @ ..] = pair else {
                return None;
            };
            command.set(*key, value)?;
        }
        Some(command)
    }

    fn set(&mut self, key: u8, value: &[u8]) -> Option<()> {
        let number = || std::str::from_utf8(value).ok()?.parse::<u32>().ok();
        let signed = || std::str::from_utf8(value).ok()?.parse::<i32>().ok();
        let one_of = |letters: &[u8]| match value {
            [letter] if letters.contains(letter) => Some(*letter),
            _ => None,
        };
        match key {
            b'a' => self.action = one_of(b"tTqpdfac")?,
            b'q' => self.quiet = Some(number()?),
            b'i' => self.id = number()?,
            b'I' => self.number = number()?,
            b'p' => self.placement = number()?,
            b'f' => self.format = number()?,
            b't' => self.medium = one_of(b"dfts")?,
            b'o' => self.compression = Some(*value.first()?),
            b'm' => self.more = number()? == 1,
            b's' => self.width = number()?,
            b'v' => self.height = number()?,
            b'x' => self.x = number()?,
            b'y' => self.y = number()?,
            b'w' => self.w = number()?,
            b'h' => self.h = number()?,
            b'X' => self.offset_x = number()?,
            b'Y' => self.offset_y = number()?,
            b'c' => self.cols = number()?,
            b'r' => self.rows = number()?,
            b'C' => self.cursor = number()?,
            b'U' => self.is_virtual = number()? == 1,
            b'z' => self.z = signed()?,
            b'P' => self.parent = number()?,
            b'Q' => self.parent_placement = number()?,
            b'H' => self.parent_cols = signed()?,
            b'V' => self.parent_rows = signed()?,
            b'd' => self.delete = one_of(b"aAcCfFiInNpPqQrRxXyYzZ")?,
            // The range of a file, and hints about the use of an image: no effect here.
            b'S' | b'O' | b'N' => drop(number()?),
            _ => return None,
        }
        Some(())
    }

    /// Returns the answer to the command: `APC G i=…;OK ST`. `None` if none was requested: neither
    /// an image id nor a number, or suppressed with `q`.
    pub(super) fn answer(&self, result: Result<(), KittyError>) -> Option<String> {
        let silent_from = if result.is_ok() { 1 } else { 2 };
        if self.quiet.unwrap_or(0) >= silent_from || (self.id, self.number) == (0, 0) {
            return None;
        }
        let mut keys = Vec::new();
        for (key, value) in [
            ("i", self.id),
            ("I", self.number),
            ("p", self.placement),
            ("r", if self.action == b'f' { self.rows } else { 0 }),
        ] {
            if value != 0 {
                keys.push(format!("{key}={value}"));
            }
        }
        let message = match result {
            Ok(()) => "OK".to_owned(),
            Err(error) => error.to_string(),
        };
        Some(format!("\x1b_G{};{message}\x1b\\", keys.join(",")))
    }
}
