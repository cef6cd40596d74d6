//! Lossless WebP, still or animated.
//!
//! The library writes only still pictures. An animated WebP is a container of still pictures, and
//! this file writes the container (RIFF chunks `VP8X`, `ANIM` and `ANMF`). Of each frame only the
//! rectangle that changed is written.
//!
//! The library detects runs of one colour, but no other repetition: no letters, no lines equal to
//! the one above, no palette. So a page of text is about five times as large as a PNG, while other
//! WebP encoders make it smaller. The library's one option, to predict each pixel from its
//! neighbours, makes text larger still. APNG stores the same pixels in fewer bytes.

use std::time::Duration;

use image_webp::{ColorType, EncoderParams, EncodingError, WebPEncoder};

use crate::animation::frame_delta::{FrameDelta, FrameDeltas, PixelRect};
use crate::animation::{Animation, EncodeError, EncodeOptions, Painter, Repeat};

const FORMAT: &str = "WebP";
/// Maximum number of pixels on a side.
pub const MAX_SIDE: usize = 1 << 14;
/// Maximum duration of a frame: the file has 24 bits for it.
const LONGEST: u64 = (1 << 24) - 1;

/// Encodes an animation as WebP; as a still picture if nothing changes. Times are rounded to
/// thousandths of a second.
pub fn encode<P: Painter>(
    animation: &Animation,
    painter: &P,
    options: &EncodeOptions,
) -> Result<Vec<u8>, EncodeError> {
    let size = EncodeError::check_sides(animation, painter, FORMAT, MAX_SIDE)?;
    // The container stores positions divided by two.
    let deltas = FrameDeltas::draw(animation, painter, options, 2)?;
    let stills: Vec<Vec<u8>> = deltas.map(
        FORMAT,
        || (),
        |(), _, delta| {
            let still = still(delta).map_err(EncodeError::in_format(FORMAT))?;
            let bytes = still.len();
            Ok((still, bytes))
        },
    )?;
    if let [still] = &stills[..] {
        return riff(still);
    }
    let mut content = Vec::new();
    let canvas = [
        &[MOVING, 0, 0, 0][..],
        &less_one(size.width),
        &less_one(size.height),
    ]
    .concat();
    chunk(&mut content, b"VP8X", &canvas);
    let times = match options.repeat {
        Repeat::Forever => 0,
        Repeat::Times(times) => times.get(),
    };
    // The background colour, which is never visible, and the number of repetitions.
    chunk(
        &mut content,
        b"ANIM",
        &[&[0; 4][..], &times.to_le_bytes()].concat(),
    );
    let mut time = Duration::ZERO;
    for (info, still) in deltas.infos.iter().zip(stills) {
        let start = time.as_millis();
        time += info.duration;
        let mut left = (time.as_millis() - start) as u64;
        loop {
            let millis = left.min(LONGEST);
            chunk(&mut content, b"ANMF", &framed(info.area, millis, &still));
            left -= millis;
            if left == 0 {
                break;
            }
        }
    }
    riff(&content)
}

/// Flag of an animated file.
const MOVING: u8 = 1 << 1;
/// Flag of a frame that overwrites the one before. Transparent pixels for unchanged ones would make
/// a file only 1 % smaller, and viewers differ in how they blend them.
const COVERS: u8 = 1 << 1;

/// Encodes a delta as a chunk of a file.
fn still(delta: &FrameDelta) -> Result<Vec<u8>, EncodingError> {
    let pixels: Vec<u8> = delta
        .pixels
        .iter()
        .flat_map(|pixel| pixel.color().parts())
        .collect();
    let (width, height) = (delta.area.width as u32, delta.area.height as u32);
    let mut file = Vec::new();
    let mut encoder = WebPEncoder::new(&mut file);
    // Letters have no gradients: without prediction from neighbours the data is 20 % smaller.
    let mut params = EncoderParams::default();
    params.use_predictor_transform = false;
    encoder.set_params(params);
    encoder.encode(&pixels, width, height, ColorType::Rgb8)?;
    // Without metadata a file is a header of twelve bytes and this one chunk.
    Ok(file.split_off(12))
}

fn framed(area: PixelRect, millis: u64, still: &[u8]) -> Vec<u8> {
    let mut frame = Vec::with_capacity(still.len() + 16);
    frame.extend(three((area.x / 2) as u32));
    frame.extend(three((area.y / 2) as u32));
    frame.extend(less_one(area.width));
    frame.extend(less_one(area.height));
    frame.extend(three(millis as u32));
    frame.push(COVERS);
    frame.extend(still);
    frame
}

fn three(number: u32) -> [u8; 3] {
    let [a, b, c, _] = number.to_le_bytes();
    [a, b, c]
}

fn less_one(length: usize) -> [u8; 3] {
    three(length.saturating_sub(1) as u32)
}

fn chunk(out: &mut Vec<u8>, name: &[u8; 4], content: &[u8]) {
    out.extend(name);
    out.extend((content.len() as u32).to_le_bytes());
    out.extend(content);
    if content.len() % 2 == 1 {
        out.push(0);
    }
}

fn riff(content: &[u8]) -> Result<Vec<u8>, EncodeError> {
    let length =
        u32::try_from(content.len() + 4).map_err(|_| EncodeError::TooLarge { format: FORMAT })?;
    let mut file = Vec::with_capacity(content.len() + 12);
    file.extend(b"RIFF");
    file.extend(length.to_le_bytes());
    file.extend(b"WEBP");
    file.extend(content);
    Ok(file)
}
