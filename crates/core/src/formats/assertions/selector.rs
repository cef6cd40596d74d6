//! Parser for selectors, written as in the [JSON-RPC
//! server](../../../../../docs/formats/json-rpc.md#selectors). A plain string is matched literally;
//! `styled` is an additional type.

use serde_json::Value;

use super::field_reader::{FieldReader, listed};
use crate::query::selector::{ImageSelector, Pattern, Styled, Underlined};
use crate::screen::image::{HashPrefix, ImageKind, MAX_SIDE};
use crate::{Attributes, Color, Position, Rect, Rgb, Selector, Underline};

const TYPES: [&str; 7] = ["exact", "regex", "at", "within", "nth", "styled", "image"];

/// Parses one selector or a list of them.
pub(super) fn all(name: &str, value: Option<Value>) -> Result<Vec<Selector>, String> {
    match value {
        None => Ok(Vec::new()),
        Some(Value::Array(values)) => {
            if values.is_empty() {
                return Err(format!("`{name}` is an empty list, which asserts nothing"));
            }
            values.into_iter().map(|value| one(name, value)).collect()
        }
        Some(value) => Ok(vec![one(name, value)?]),
    }
}

fn one(name: &str, value: Value) -> Result<Selector, String> {
    let value = match value {
        // An empty text would be found on every screen.
        Value::String(text) if text.is_empty() => return Err(format!("`{name}` is empty")),
        Value::String(text) => return Ok(Selector::exact(text)),
        value => value,
    };
    let mut fields = FieldReader::new(name, value)?;
    let kind = fields.text("type")?.ok_or_else(|| fields.missing("type"))?;
    let selector = match kind.as_str() {
        "exact" => {
            let text = fields.text("text")?.filter(|text| !text.is_empty());
            Selector::exact(text.ok_or_else(|| fields.missing("text"))?)
        }
        "regex" => {
            let pattern = fields.text("pattern")?;
            let pattern = pattern.ok_or_else(|| fields.missing("pattern"))?;
            match fields.text("syntax")?.as_deref() {
                // A pattern that never matches would make every `not_visible` hold.
                None if Pattern::looks_like_regex(&pattern) => {
                    let path = fields.path("syntax");
                    return Err(format!(
                        "`{pattern}` looks like a regular expression: set `{path}` to `full` if it is one, or to `light` if these characters are literal"
                    ));
                }
                None | Some("light") => Selector::pattern(pattern),
                Some("full") => Selector::regex(&pattern).map_err(|error| error.to_string())?,
                Some(other) => {
                    let path = fields.path("syntax");
                    return Err(format!("`{path}` is `{other}`: expected `light` or `full`"));
                }
            }
        }
        "at" => {
            let col = fields.place("col")?.ok_or_else(|| fields.missing("col"))?;
            let row = fields.place("row")?.ok_or_else(|| fields.missing("row"))?;
            Selector::at(Position { row, col })
        }
        "within" => {
            let rect = fields.take("rect").ok_or_else(|| fields.missing("rect"))?;
            let rect = rectangle(&fields.path("rect"), rect)?;
            inner(&mut fields)?
                .ok_or_else(|| fields.missing("selector"))?
                .within(rect)
        }
        "nth" => {
            let index = fields.number("index", 0, 1 << 32)?;
            let index = index.ok_or_else(|| fields.missing("index"))?;
            inner(&mut fields)?
                .ok_or_else(|| fields.missing("selector"))?
                .nth(index as usize)
        }
        "styled" => {
            let style = styled(&mut fields)?;
            match inner(&mut fields)? {
                Some(selector) => selector.and(style),
                None => Selector::styled(style),
            }
        }
        "image" => Selector::image(image(&mut fields)?),
        other => {
            let path = fields.path("type");
            return Err(format!(
                "`{path}` is `{other}`: expected one of {}",
                listed(&TYPES)
            ));
        }
    };
    fields.finish()?;
    Ok(selector)
}

fn inner(fields: &mut FieldReader) -> Result<Option<Selector>, String> {
    let path = fields.path("selector");
    let value = fields.take("selector");
    value.map(|value| one(&path, value)).transpose()
}

fn rectangle(path: &str, value: Value) -> Result<Rect, String> {
    let mut fields = FieldReader::new(path, value)?;
    let most = 1 << 16;
    let rect = Rect {
        col: fields.place("col")?.ok_or_else(|| fields.missing("col"))?,
        row: fields.place("row")?.ok_or_else(|| fields.missing("row"))?,
        cols: fields
            .number("width", 1, most)?
            .ok_or_else(|| fields.missing("width"))? as usize,
        rows: fields
            .number("height", 1, most)?
            .ok_or_else(|| fields.missing("height"))? as usize,
    };
    fields.finish()?;
    Ok(rect)
}

/// Parses the requirements of an `image` selector. There may be none.
fn image(fields: &mut FieldReader) -> Result<ImageSelector, String> {
    let mut image = ImageSelector::new();
    if let Some(name) = fields.text("kind")? {
        let kind = ImageKind::named(&name).ok_or_else(|| {
            let kinds = ImageKind::ALL.map(ImageKind::name);
            let path = fields.path("kind");
            format!("`{path}` is `{name}`: expected one of {}", listed(&kinds))
        })?;
        image = image.kind(kind);
    }
    if let Some(digits) = fields.text("hash")? {
        let hash: Result<HashPrefix, _> = digits.parse();
        image = image.hash(hash.map_err(|error| error.to_string())?);
    }
    image.at = match (fields.place("row")?, fields.place("col")?) {
        (None, None) => None,
        (Some(row), Some(col)) => Some(Position { row, col }),
        (None, _) => return Err(fields.missing("row")),
        (_, None) => return Err(fields.missing("col")),
    };
    if let Some(value) = fields.take("cells") {
        let mut cells = FieldReader::new(&fields.path("cells"), value)?;
        let mut number = |name| {
            let number = cells.number(name, 1, u16::MAX.into())?;
            number.ok_or_else(|| cells.missing(name))
        };
        image = image.cells(number("cols")? as u16, number("rows")? as u16);
        cells.finish()?;
    }
    if let Some(value) = fields.take("pixels") {
        let mut pixels = FieldReader::new(&fields.path("pixels"), value)?;
        let mut number = |name| {
            let number = pixels.number(name, 1, MAX_SIDE.into())?;
            number.ok_or_else(|| pixels.missing(name))
        };
        image = image.pixels(number("width")? as u32, number("height")? as u32);
        pixels.finish()?;
    }
    Ok(image)
}

/// Parses the style of a `styled` selector, with the names of a cassette's `looks`.
fn styled(fields: &mut FieldReader) -> Result<Styled, String> {
    let mut style = Styled::new();
    for (name, attribute) in [
        ("bold", Attributes::BOLD),
        ("faint", Attributes::FAINT),
        ("italic", Attributes::ITALIC),
        ("blink", Attributes::BLINK),
        ("rapid_blink", Attributes::RAPID_BLINK),
        ("inverse", Attributes::INVERSE),
        ("invisible", Attributes::INVISIBLE),
        ("strikethrough", Attributes::STRIKETHROUGH),
        ("overline", Attributes::OVERLINE),
    ] {
        style = match fields.flag(name)? {
            None => style,
            Some(true) => style.with(attribute),
            Some(false) => style.without(attribute),
        };
    }
    style.fg = color(fields, "fg")?;
    style.bg = color(fields, "bg")?;
    style.underline_color = color(fields, "underline_color")?;
    style.underline = underline(fields)?;
    if style == Styled::new() {
        let path = fields.path("type");
        return Err(format!("`{path}` is `styled`, but no style field is set"));
    }
    Ok(style)
}

fn underline(fields: &mut FieldReader) -> Result<Option<Underlined>, String> {
    let line = match fields.take("underline") {
        None => return Ok(None),
        Some(Value::Bool(true)) => return Ok(Some(Underlined::Somehow)),
        Some(Value::Bool(false)) => Some(Underline::None),
        Some(Value::String(name)) => match name.as_str() {
            "single" => Some(Underline::Single),
            "double" => Some(Underline::Double),
            "curly" => Some(Underline::Curly),
            "dotted" => Some(Underline::Dotted),
            "dashed" => Some(Underline::Dashed),
            _ => None,
        },
        Some(_) => None,
    };
    line.map(|line| Some(Underlined::By(line))).ok_or_else(|| {
        let path = fields.path("underline");
        format!(
            "`{path}` must be true, false, or one of `single`, `double`, `curly`, `dotted`, `dashed`"
        )
    })
}

fn color(fields: &mut FieldReader, name: &'static str) -> Result<Option<Color>, String> {
    let Some(value) = fields.take(name) else {
        return Ok(None);
    };
    let index = value.as_u64().and_then(|index| u8::try_from(index).ok());
    let color = match (index, value.as_str()) {
        (Some(index), _) => Some(Color::Indexed(index)),
        (None, Some("default")) => Some(Color::Default),
        (None, Some(text)) => Rgb::parse(text).map(Color::Rgb),
        (None, None) => None,
    };
    color.map(Some).ok_or_else(|| {
        let path = fields.path(name);
        format!("`{path}` must be a palette index from 0 to 255, `#rrggbb` or `default`")
    })
}
