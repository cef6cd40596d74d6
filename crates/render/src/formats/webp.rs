//! Lossless WebP, still or animated.
//!
//! The library writes only still pictures. An animated WebP is a container of still pictures, and
//! this file writes the container (RIFF chunks `VP8X`, `ANIM` and `ANMF`). Only the
//! rectangle that changed is written for each frame.
//!
//! The library detects runs of one colour, but no other repetition: no letters, no lines equal to
//! the one above, no palette. So a page of text is about five times as large as a PNG, while other
//! WebP encoders make it smaller. The library's one option, to predict each pixel from its
//! neighbours, makes text larger still. APNG stores the same pixels in fewer bytes.

use std::io::{self, Cursor, Seek, SeekFrom, Write};
use std::time::Duration;

use image_webp::{ColorType, EncoderParams, EncodingError, WebPEncoder};

use crate::animation::frame_delta::{DeltaInfo, FrameDelta, FrameDeltas};
use crate::animation::pixel_delta::PixelRect;
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
    let mut file = Cursor::new(Vec::new());
    write(animation, painter, options, &mut file)?;
    Ok(file.into_inner())
}

/// Like [`encode`], but writes the file while frames are compressed. A file of any length takes
/// little memory. The file begins with its length, so the writer must be able to seek.
pub fn write<P: Painter>(
    animation: &Animation,
    painter: &P,
    options: &EncodeOptions,
    mut file: impl Write + Seek,
) -> Result<(), EncodeError> {
    let size = EncodeError::check_sides(animation, painter, FORMAT, MAX_SIDE)?;
    // The container stores positions divided by two.
    let deltas = FrameDeltas::draw(animation, painter, options, 2)?;
    let failure = EncodeError::in_file(FORMAT);
    let mut header = b"RIFF\0\0\0\0WEBP".to_vec();
    let is_still = deltas.infos.len() == 1;
    if !is_still {
        let canvas = [
            &[MOVING, 0, 0, 0][..],
            &less_one(size.width),
            &less_one(size.height),
        ]
        .concat();
        chunk(&mut header, b"VP8X", &canvas);
        let times = match options.repeat {
            Repeat::Forever => 0,
            Repeat::Times(times) => times.get(),
        };
        // The background colour, which is never visible, and the number of repetitions.
        chunk(
            &mut header,
            b"ANIM",
            &[&[0; 4][..], &times.to_le_bytes()].concat(),
        );
    }
    file.write_all(&header).map_err(&failure)?;
    let mut length = header.len() as u64;
    let mut time = Duration::ZERO;
    let compress = |(): &mut (), _: &DeltaInfo, delta: &FrameDelta| {
        let still = still(delta).map_err(EncodeError::in_format(FORMAT))?;
        let bytes = still.len();
        Ok((still, bytes))
    };
    deltas.for_each(
        FORMAT,
        || (),
        compress,
        |info, still| {
            let content = if is_still {
                still
            } else {
                let start = time.as_millis();
                time += info.duration;
                frames(info.area, (time.as_millis() - start) as u64, &still)
            };
            length += content.len() as u64;
            file.write_all(&content).map_err(&failure)
        },
    )?;
    // The length does not include the name and the length itself.
    let length = u32::try_from(length - 8).map_err(|_| EncodeError::TooLarge { format: FORMAT })?;
    write_length(&mut file, length).map_err(failure)
}

/// Returns the chunks of a frame: several if it is shown longer than a chunk can express.
fn frames(area: PixelRect, millis: u64, still: &[u8]) -> Vec<u8> {
    let mut content = Vec::new();
    let mut left = millis;
    loop {
        let millis = left.min(LONGEST);
        chunk(&mut content, b"ANMF", &framed(area, millis, still));
        left -= millis;
        if left == 0 {
            return content;
        }
    }
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

fn write_length(file: &mut (impl Write + Seek), length: u32) -> io::Result<()> {
    file.seek(SeekFrom::Start(4))?;
    file.write_all(&length.to_le_bytes())?;
    file.seek(SeekFrom::End(0))?;
    file.flush()
}
