//! WebP without loss, still or moving.
//!
//! The library that compresses a picture writes stills only; a moving one is a box with stills in it, and the box is made here
//! (RIFF chunks `VP8X`, `ANIM` and `ANMF`). Of each shot only the rectangle that changed is written.

use std::error::Error;
use std::time::Duration;

use image_webp::{ColorType, EncoderParams, EncodingError, WebPEncoder};

use crate::film::cels::{Area, Cel, Cels, extent};
use crate::film::{DrawError, Film, Painter, Repeat, Threads};

/// The most pixels on a side.
pub const MAX_SIDE: usize = 1 << 14;
/// The longest that a picture in the box is shown; the file has 24 bits for it.
const LONGEST: u64 = (1 << 24) - 1;

/// How a WebP is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// How often it is shown.
    pub repeat: Repeat,
    /// How many threads draw and compress.
    pub threads: Threads,
}

/// Why a film is not a WebP.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WebpError {
    /// It cannot be drawn.
    #[error(transparent)]
    Draw(#[from] DrawError),
    /// A side has more than [`MAX_SIDE`] pixels.
    #[error("a picture of {width}x{height} pixels: a WebP has at most {MAX_SIDE} on a side")]
    Side {
        /// Pixels from left to right.
        width: usize,
        /// Pixels from top to bottom.
        height: usize,
    },
    /// More than 4 GiB.
    #[error("the film is too large for a WebP, which has at most 4 GiB")]
    TooLarge,
    /// A picture could not be compressed.
    #[error("the WebP could not be written")]
    Write(#[source] Box<dyn Error + Send + Sync>),
}

impl From<EncodingError> for WebpError {
    fn from(error: EncodingError) -> WebpError {
        WebpError::Write(error.into())
    }
}

/// Writes a film as a WebP; as a still if nothing changes. Times are rounded to thousandths of a second.
pub fn encode<P: Painter>(
    film: &Film,
    painter: &P,
    options: &Options,
) -> Result<Vec<u8>, WebpError> {
    let size = extent(film, painter)?;
    if size.width.max(size.height) > MAX_SIDE {
        return Err(WebpError::Side {
            width: size.width,
            height: size.height,
        });
    }
    // The box counts places by two pixels.
    let cels = Cels::draw(film, painter, options.threads, 2)?;
    let mut stills = cels.map(|| (), |(), _, cel| still(cel)).into_iter();
    if cels.cues.len() == 1 {
        let still = stills.next().expect("a cue has a cel")?;
        return riff(&still);
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
    // The colour of the ground, which is never seen, and how often.
    chunk(
        &mut content,
        b"ANIM",
        &[&[0; 4][..], &times.to_le_bytes()].concat(),
    );
    let mut time = Duration::ZERO;
    for (cue, still) in cels.cues.iter().zip(stills) {
        let still = still?;
        let start = time.as_millis();
        time += cue.duration;
        let mut left = (time.as_millis() - start) as u64;
        loop {
            let millis = left.min(LONGEST);
            chunk(&mut content, b"ANMF", &framed(cue.area, millis, &still));
            left -= millis;
            if left == 0 {
                break;
            }
        }
    }
    riff(&content)
}

/// The flag of a box whose pictures move.
const MOVING: u8 = 1 << 1;
/// The flag of a picture that covers what was there.
const COVERS: u8 = 1 << 1;

/// A cel as a chunk of a file.
fn still(cel: &Cel) -> Result<Vec<u8>, EncodingError> {
    let pixels: Vec<u8> = cel
        .pixels
        .iter()
        .flat_map(|pixel| pixel.color().parts())
        .collect();
    let (width, height) = (cel.area.width as u32, cel.area.height as u32);
    let mut file = Vec::new();
    let mut encoder = WebPEncoder::new(&mut file);
    // Letters are not smooth: a fifth smaller without guessing each pixel from its neighbours.
    let mut params = EncoderParams::default();
    params.use_predictor_transform = false;
    encoder.set_params(params);
    encoder.encode(&pixels, width, height, ColorType::Rgb8)?;
    // Without metadata a file is a head of twelve bytes and this one chunk.
    Ok(file.split_off(12))
}

fn framed(area: Area, millis: u64, still: &[u8]) -> Vec<u8> {
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

fn riff(content: &[u8]) -> Result<Vec<u8>, WebpError> {
    let length = u32::try_from(content.len() + 4).map_err(|_| WebpError::TooLarge)?;
    let mut file = Vec::with_capacity(content.len() + 12);
    file.extend(b"RIFF");
    file.extend(length.to_le_bytes());
    file.extend(b"WEBP");
    file.extend(content);
    Ok(file)
}
