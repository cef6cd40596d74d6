//! Parser for `image` and its requirements.

use super::{SelectorParser, SelectorSyntaxError};
use crate::Size;
use crate::query::selector::ImageSelector;
use crate::query::suggest::nearest;
use crate::screen::image::{HashPrefix, ImageKind, ImageSize};

const REQUIREMENTS: [&str; 7] = ["sixel", "kitty", "iterm", "hash", "at", "cells", "pixels"];

impl SelectorParser<'_> {
    /// Parses the requirements after `image`, separated by commas: `hash 3fa4c2d19b07, cells 6x2`.
    /// There may be none.
    pub(super) fn image(&mut self) -> Result<ImageSelector, SelectorSyntaxError> {
        let mut image = ImageSelector::new();
        // Without requirements, a qualifier or the end follows.
        if !REQUIREMENTS.contains(&self.word().0) {
            return Ok(image);
        }
        loop {
            image = self.requirement(image)?;
            if !self.accept_char(',') {
                return Ok(image);
            }
        }
    }

    fn requirement(&mut self, image: ImageSelector) -> Result<ImageSelector, SelectorSyntaxError> {
        let (word, range) = self.word();
        let start = self.at;
        self.at = range.end;
        if let Some(kind) = ImageKind::named(word) {
            return Ok(image.kind(kind));
        }
        Ok(match word {
            "hash" => {
                let (digits, range) = self.word();
                let hash = digits
                    .parse::<HashPrefix>()
                    .map_err(|error| self.wrong(error.to_string(), None))?;
                self.at = range.end;
                image.hash(hash)
            }
            "at" => image.at(self.place()?),
            "cells" => {
                let Size { cols, rows } = self.size("columns and rows, as in `6x2`", |w, h| {
                    Some(Size {
                        cols: w.try_into().ok()?,
                        rows: h.try_into().ok()?,
                    })
                })?;
                image.cells(cols, rows)
            }
            "pixels" => {
                let size = self.size("width and height, as in `48x32`", |width, height| {
                    Some(ImageSize { width, height })
                })?;
                image.pixels(size.width, size.height)
            }
            _ => {
                self.at = start;
                let hint = match nearest(word, REQUIREMENTS) {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => "requirements are, for example, `kitty`, `hash 3fa4c2d19b07`, `at 2,5`, `cells 6x2` and `pixels 48x32`".to_owned(),
                };
                let message = format!("`{word}` is not a requirement for an image");
                return Err(self.wrong(message, Some(hint)));
            }
        })
    }

    /// Parses `6x2`.
    fn size<T>(
        &mut self,
        wanted: &str,
        size: impl Fn(u32, u32) -> Option<T>,
    ) -> Result<T, SelectorSyntaxError> {
        let (word, range) = self.word();
        let number = |text: &str| {
            let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
            text.parse().ok().filter(|_| digits)
        };
        let parsed = word
            .split_once('x')
            .and_then(|(one, other)| size(number(one)?, number(other)?));
        let Some(size) = parsed else {
            let hint = format!("write {wanted}");
            return Err(self.wrong(format!("`{word}` is not a size"), Some(hint)));
        };
        self.at = range.end;
        Ok(size)
    }
}
