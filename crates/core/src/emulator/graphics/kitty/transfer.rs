//! Image data that arrives in one or several commands.

use std::sync::Arc;

use super::super::inflate::{InflateError, inflate};
use super::super::store::ImageStore;
use super::command::ReceivedCommand;
use super::{
    KittyCommand, KittyContext, KittyError, KittyOutcome, KittyScreen, MAX_DATA, ReceivedImage,
};
use crate::screen::image::{ImageContent, ImageFormat, ImageSize, MAX_PIXELS, MAX_SIDE};

/// An image of which only the first chunks have arrived.
#[derive(Debug)]
pub(super) struct Transfer {
    /// The first command, which has all keys.
    pub(super) command: KittyCommand,
    /// Its keys as they were received.
    pub(super) keys: Vec<u8>,
    pub(super) data: Vec<u8>,
    /// Size of the data in base64.
    encoded: u64,
}

impl KittyScreen {
    /// Handles a command with image data: all of it, or one chunk.
    pub(super) fn transmit(
        &mut self,
        received: ReceivedCommand,
        context: KittyContext,
        store: &mut ImageStore,
        outcome: &mut KittyOutcome,
    ) {
        let ReceivedCommand {
            command,
            keys,
            data,
            encoded,
        } = received;
        let more = command.more;
        let mut transfer = match self.transfer.take() {
            Some(mut begun) if command.medium == b'd' => {
                begun.command.quiet = command.quiet.or(begun.command.quiet);
                begun.data.extend_from_slice(&data);
                begun.encoded += encoded;
                begun
            }
            _ => {
                if command.action == b'q' && command.id == 0 {
                    outcome.is_unsupported = true;
                    return;
                }
                Transfer {
                    command,
                    keys,
                    data,
                    encoded,
                }
            }
        };
        if let Err(error) = transfer.check() {
            outcome.answer = transfer.command.answer(Err(error));
            return;
        }
        if more {
            self.transfer = Some(transfer);
            return;
        }
        outcome.decoded = transfer.data.len() + transfer.raw_length().unwrap_or_default();
        let content = transfer.content();
        let encoded = transfer.encoded;
        let mut command = transfer.command;
        let done = content.and_then(|content| {
            if command.action == b'f' {
                outcome.is_unsupported = true;
                return match self.image(&command) {
                    Some(image) => {
                        command.id = image.id;
                        Ok(())
                    }
                    None => Err(KittyError::new(
                        "ENOENT",
                        "Animation command refers to non-existent image",
                    )),
                };
            }
            if command.action == b'q' {
                return Ok(());
            }
            let content = Arc::new(content);
            outcome.received = Some(ReceivedImage {
                content: Arc::clone(&content),
                cells: (command.cols, command.rows),
                encoded,
            });
            if command.action == b't' && (command.id, command.number) == (0, 0) {
                // No later command can name it.
                return Ok(());
            }
            let (id, key) = self.store(&command, content, store);
            command.id = id;
            if command.action == b'T' {
                // As in kitty, the answer is about the transmission alone.
                let placed = self.put_image(&command, key, context, store);
                outcome.cursor = placed.unwrap_or_default();
            }
            Ok(())
        });
        outcome.answer = command.answer(done);
    }
}

impl Transfer {
    /// Checks the keys, and that there is not too much data so far.
    fn check(&self) -> Result<(), KittyError> {
        let command = &self.command;
        match command.format {
            24 | 32 => {
                if command.width == 0 || command.height == 0 {
                    return Err(invalid("Zero width/height not allowed"));
                }
                check_size(ImageSize::new(command.width, command.height))?;
            }
            100 => {}
            format => return Err(invalid(format!("Unknown image format: {format}"))),
        }
        if command.medium != b'd' {
            return Err(KittyError::new("EBADF", "Failed to read image file"));
        }
        match command.compression {
            None | Some(b'z') => {}
            Some(other) => {
                let other = char::from(other).escape_default();
                return Err(invalid(format!("Unknown image compression: {other}")));
            }
        }
        let most = match (self.raw_length(), command.compression) {
            (Some(length), None) => length,
            _ => MAX_DATA,
        };
        if self.data.len() > most {
            return Err(KittyError::new("EFBIG", "Too much data"));
        }
        Ok(())
    }

    /// Returns the number of bytes of uncompressed pixels; `None` for a PNG.
    fn raw_length(&self) -> Option<usize> {
        let command = &self.command;
        let pixels = ImageSize::new(command.width, command.height).pixels() as usize;
        match command.format {
            24 => Some(pixels * 3),
            32 => Some(pixels * 4),
            _ => None,
        }
    }

    /// Decodes the complete data.
    fn content(&mut self) -> Result<ImageContent, KittyError> {
        let mut data = std::mem::take(&mut self.data);
        let raw_length = self.raw_length();
        if self.command.compression.is_some() {
            let most = raw_length.unwrap_or(MAX_DATA);
            data = inflate(&data, most).map_err(|error| match error {
                InflateError::Invalid => {
                    invalid("Failed to inflate image data with error: invalid data")
                }
                InflateError::TooLong => {
                    invalid("Image data size post inflation does not match expected size")
                }
            })?;
        }
        let Some(length) = raw_length else {
            return png(data);
        };
        if data.len() < length {
            let message = format!("Insufficient image data: {} < {length}", data.len());
            return Err(KittyError::new("ENODATA", message));
        }
        let pixels = match self.command.format {
            24 => with_alpha(&data),
            _ => data,
        };
        let size = ImageSize::new(self.command.width, self.command.height);
        ImageContent::rgba(size, pixels).ok_or_else(|| invalid("Unsupported image size"))
    }
}

fn png(file: Vec<u8>) -> Result<ImageContent, KittyError> {
    match ImageFormat::read(&file) {
        Some((ImageFormat::Png, size)) => {
            check_size(size)?;
            ImageContent::file(file).ok_or_else(|| invalid("Unsupported image size"))
        }
        _ => Err(KittyError::new("EBADPNG", "Not a PNG file")),
    }
}

fn check_size(size: ImageSize) -> Result<(), KittyError> {
    if size.width > MAX_SIDE || size.height > MAX_SIDE {
        return Err(invalid(format!(
            "Image too large, width or height greater than {MAX_SIDE}"
        )));
    }
    if size.pixels() > MAX_PIXELS {
        let message = format!("Image too large, more than {MAX_PIXELS} pixels");
        return Err(KittyError::new("EFBIG", message));
    }
    Ok(())
}

fn invalid(message: impl Into<String>) -> KittyError {
    KittyError::new("EINVAL", message)
}

/// Adds an opaque alpha to each pixel.
fn with_alpha(pixels: &[u8]) -> Vec<u8> {
    let (pixels, _) = pixels.as_chunks::<3>();
    let opaque = pixels
        .iter()
        .map(|[red, green, blue]| [*red, *green, *blue, 255]);
    opaque.collect::<Vec<[u8; 4]>>().into_flattened()
}
