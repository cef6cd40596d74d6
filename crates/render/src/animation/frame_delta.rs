//! Draws the frames of an animation, and returns the pixels that each of them changes.
//!
//! An animation is cut into chunks of a fixed number of frames, which threads draw independently of
//! each other, so the result does not depend on the number of threads. The first pass finds the
//! position and the colours of each delta, and the second pass compresses the deltas. Chunks are
//! processed in batches, so memory does not grow with the length of the animation. The deltas of a
//! long animation do not all fit into memory; chunks beyond the limit are drawn again in the second
//! pass.
//!
//! See also: `batch.rs` (chunks and batches), `pixel_delta.rs` (compares two pictures).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use super::batch::{self, Batch, ChunkFrames};
use super::pixel_delta::{DeltaPixel, PixelRect, all_pixels, changed_rect, delta_pixels};
use super::progress::ProgressCounter;
use super::threads;
use super::{Animation, EncodeError, EncodeOptions, MAX_FILE, Painter, PixelSize, Threads};
use crate::Pixels;
use crate::animation::palette::{DistinctColors, PaletteColor};

/// Maximum number of pixels of an animation's frame: 128 MiB for each copy, and several copies
/// exist at once. A single picture may have twice as many
/// ([`picture::MAX_PIXELS`](crate::picture::MAX_PIXELS)).
pub const MAX_FRAME_PIXELS: usize = 1 << 25;
/// Maximum bytes of pixels on which threads draw at once; with large pictures fewer threads work.
const MAX_CANVAS_BYTES: usize = 1 << 30;
/// Maximum bytes of deltas kept between the first and the second pass: about 25 complete frames of
/// 80x24 cells, or some 10,000 frames in which a user types.
const MAX_CACHED_BYTES: usize = 32 << 20;

/// Reasons why an animation cannot be drawn.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DrawError {
    /// A frame has more than [`MAX_FRAME_PIXELS`] pixels, or none.
    #[error(
        "a picture of {}x{} pixels cannot be drawn: it may have 1 to {MAX_FRAME_PIXELS} in total",
        .0.width, .0.height
    )]
    InvalidSize(PixelSize),
}

/// The pixels that a frame changes.
#[derive(Debug)]
pub(crate) struct FrameDelta {
    pub(crate) area: PixelRect,
    /// Row by row.
    pub(crate) pixels: Vec<DeltaPixel>,
}

/// Position and duration of a delta.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DeltaInfo {
    pub(crate) area: PixelRect,
    pub(crate) duration: Duration,
    /// The colours of the changed pixels in ascending order; `None` for more than 256.
    /// Deltas near each other share equal lists.
    pub(crate) colors: Option<Arc<[PaletteColor]>>,
}

/// The deltas of an animation.
pub(crate) struct FrameDeltas<'a, P> {
    animation: &'a Animation,
    painter: &'a P,
    threads: Threads,
    progress: ProgressCounter,
    align: usize,
    pub(crate) extent: PixelSize,
    /// One per delta. There is at least one, and the first covers the whole picture.
    pub(crate) infos: Vec<DeltaInfo>,
    chunks: Vec<Chunk>,
}

struct Chunk {
    /// Index of its first delta.
    first: usize,
    /// Its deltas, or `None` if the memory limit was reached.
    deltas: Option<Vec<FrameDelta>>,
}

/// Result of the first pass over a chunk.
struct ChunkScan {
    /// Time by which the last delta before the chunk is shown longer, because the chunk's first
    /// frames look the same.
    before: Duration,
    infos: Vec<DeltaInfo>,
    deltas: Option<Vec<FrameDelta>>,
}

impl<'a, P: Painter> FrameDeltas<'a, P> {
    /// Draws an animation. The corners of the rectangles are multiples of `align`.
    pub(crate) fn draw(
        animation: &'a Animation,
        painter: &'a P,
        options: &EncodeOptions,
        align: usize,
    ) -> Result<FrameDeltas<'a, P>, EncodeError> {
        FrameDeltas::draw_with_cache(animation, painter, options, align, MAX_CACHED_BYTES)
    }

    /// Like `draw`, with a limit for the bytes of cached deltas.
    fn draw_with_cache(
        animation: &'a Animation,
        painter: &'a P,
        options: &EncodeOptions,
        align: usize,
        most: usize,
    ) -> Result<FrameDeltas<'a, P>, EncodeError> {
        let extent = extent(animation, painter)?;
        let mut deltas = FrameDeltas {
            animation,
            painter,
            // Each thread has two pictures: the one shown and the one drawn.
            threads: options
                .threads
                .at_most(MAX_CANVAS_BYTES / (extent.pixels() * 8)),
            progress: ProgressCounter::new(&options.progress, animation.frames.len()),
            align,
            extent,
            infos: Vec::new(),
            chunks: Vec::new(),
        };
        let budget = ByteBudget::new(most);
        let mut workers = deltas
            .threads
            .workers(animation.frames.len(), || painter.clone());
        for batch in deltas.batches() {
            let found = threads::run(&mut workers, batch.chunk_count(), |painter, chunk| {
                deltas.scan_chunk(painter, batch.chunk(chunk), &budget)
            });
            for found in found {
                if let Some(last) = deltas.infos.last_mut() {
                    last.duration += found.before;
                }
                deltas.chunks.push(Chunk {
                    first: deltas.infos.len(),
                    deltas: found.deltas,
                });
                deltas.infos.extend(found.infos);
            }
        }
        if deltas.progress.is_stopped() {
            Err(EncodeError::Stopped)
        } else {
            Ok(deltas)
        }
    }

    /// Compresses every delta and passes the results to `sink`, in order. `make` returns a result
    /// and the size of that result in bytes. Fails as soon as the total exceeds [`MAX_FILE`].
    pub(crate) fn for_each<W: Send, R: Send>(
        &self,
        format: &'static str,
        worker: impl Fn() -> W,
        make: impl Fn(&mut W, &DeltaInfo, &FrameDelta) -> Result<(R, usize), EncodeError> + Sync,
        sink: impl FnMut(&DeltaInfo, R) -> Result<(), EncodeError>,
    ) -> Result<(), EncodeError> {
        self.for_each_within(MAX_FILE, format, worker, make, sink)
    }

    /// Like `for_each`, with another limit for the total.
    fn for_each_within<W: Send, R: Send>(
        &self,
        most: usize,
        format: &'static str,
        worker: impl Fn() -> W,
        make: impl Fn(&mut W, &DeltaInfo, &FrameDelta) -> Result<(R, usize), EncodeError> + Sync,
        mut sink: impl FnMut(&DeltaInfo, R) -> Result<(), EncodeError>,
    ) -> Result<(), EncodeError> {
        let budget = ByteBudget::new(most);
        let make =
            |worker: &mut W, info: &DeltaInfo, delta: &FrameDelta| -> Result<R, EncodeError> {
                let (result, bytes) = make(worker, info, delta)?;
                if !budget.take(bytes) {
                    return Err(EncodeError::TooLarge { format });
                }
                self.progress.compressed(self.infos.len());
                if self.progress.is_stopped() {
                    Err(EncodeError::Stopped)
                } else {
                    Ok(result)
                }
            };
        let mut workers = self
            .threads
            .workers(self.infos.len(), || (worker(), self.painter.clone()));
        let mut infos = self.infos.iter();
        for batch in self.batches() {
            for result in self.compress_batch(&mut workers, &batch, &make)? {
                let info = infos.next().expect("each delta has its information");
                sink(info, result)?;
            }
        }
        Ok(())
    }

    /// Compresses the deltas of a batch.
    fn compress_batch<W: Send, R: Send>(
        &self,
        workers: &mut [(W, P)],
        batch: &Batch<'_>,
        make: &(impl Fn(&mut W, &DeltaInfo, &FrameDelta) -> Result<R, EncodeError> + Sync),
    ) -> Result<Vec<R>, EncodeError> {
        // One job per chunk where deltas are drawn again, one job per delta where they are cached:
        // the first delta is large.
        let mut jobs: Vec<(usize, Option<usize>)> = Vec::new();
        for index in 0..batch.chunk_count() {
            match &self.chunks[batch.first_chunk + index].deltas {
                Some(deltas) => jobs.extend((0..deltas.len()).map(|delta| (index, Some(delta)))),
                None => jobs.push((index, None)),
            }
        }
        let stopped = AtomicBool::new(false);
        let results = threads::run(workers, jobs.len(), |(worker, painter), job| {
            // Another thread has already failed.
            if stopped.load(Ordering::Relaxed) {
                return Err(None);
            }
            let (index, delta) = jobs[job];
            let chunk = &self.chunks[batch.first_chunk + index];
            let mut results = Ok(Vec::new());
            let mut add = |info: &DeltaInfo, delta: &FrameDelta| {
                if let Ok(all) = &mut results {
                    match make(worker, info, delta) {
                        Ok(one) => all.push(one),
                        Err(error) => results = Err(Some(error)),
                    }
                }
            };
            match (delta, &chunk.deltas) {
                (Some(delta), Some(deltas)) => {
                    add(&self.infos[chunk.first + delta], &deltas[delta]);
                }
                _ => {
                    let mut infos = self.infos[chunk.first..].iter();
                    self.draw_chunk(painter, batch.chunk(index), |delta| {
                        if let Some(delta) = delta
                            && let Some(info) = infos.next()
                        {
                            add(info, &delta);
                        }
                    });
                }
            }
            if results.is_err() {
                stopped.store(true, Ordering::Relaxed);
            }
            results
        });
        let mut all = Vec::new();
        let mut first_error = None;
        for results in results {
            match results {
                Ok(results) => all.extend(results),
                Err(error) => first_error = first_error.or(error),
            }
        }
        match first_error {
            Some(error) => Err(error),
            None => Ok(all),
        }
    }

    fn batches(&self) -> impl Iterator<Item = Batch<'a>> + use<'a, P> {
        batch::batches(&self.animation.frames, self.threads)
    }

    /// Draws a chunk for the first time and collects its deltas.
    fn scan_chunk(
        &self,
        painter: &mut P,
        frames: ChunkFrames<'_>,
        budget: &ByteBudget,
    ) -> ChunkScan {
        let mut found = ChunkScan {
            before: Duration::ZERO,
            infos: Vec::new(),
            deltas: Some(Vec::new()),
        };
        let mut distinct = DistinctColors::default();
        let mut durations = frames.frames.iter().map(|frame| frame.duration);
        self.draw_chunk(painter, frames, |delta| {
            let duration = durations.next().unwrap_or_default();
            self.progress.drawn();
            match delta {
                None => match found.infos.last_mut() {
                    Some(info) => info.duration += duration,
                    None => found.before += duration,
                },
                Some(delta) => {
                    let colors = distinct.of(&delta.pixels);
                    let equal = found
                        .infos
                        .iter()
                        .filter_map(|info| info.colors.as_ref())
                        .find(|equal| colors.as_deref() == Some(&equal[..]));
                    let colors = equal.cloned().or(colors.map(Arc::from));
                    found.infos.push(DeltaInfo {
                        area: delta.area,
                        duration,
                        colors,
                    });
                    if !budget.take(size_of_val(&delta.pixels[..])) {
                        found.deltas = None;
                    }
                    if let Some(deltas) = &mut found.deltas {
                        deltas.push(delta);
                    }
                }
            }
        });
        found
    }

    /// Draws a chunk and passes each frame's delta to `visit`; `None` if the frame changes nothing.
    fn draw_chunk(
        &self,
        painter: &mut P,
        ChunkFrames { mut before, frames }: ChunkFrames<'_>,
        mut visit: impl FnMut(Option<FrameDelta>),
    ) {
        let PixelSize { width, height } = self.extent;
        let mut canvas = Pixels::filled(width, height, [0, 0, 0, 255]);
        if let Some(before) = before {
            painter.paint(&before.screen, None, &mut canvas);
        }
        let mut shown = canvas.clone();
        for frame in frames {
            if self.progress.is_stopped() {
                return;
            }
            let screen = before.map(|frame| &frame.screen);
            let rows = painter.paint(&frame.screen, screen, &mut canvas);
            let area = match before {
                Some(_) => changed_rect(&shown, &canvas, rows, self.align),
                None => Some(PixelRect {
                    x: 0,
                    y: 0,
                    width,
                    height,
                }),
            };
            visit(area.map(|area| FrameDelta {
                area,
                pixels: match before {
                    Some(_) => delta_pixels(&shown, &canvas, area),
                    None => all_pixels(&canvas),
                },
            }));
            if let Some(area) = area {
                for y in area.y..area.y + area.height {
                    shown.row_mut(y).copy_from_slice(canvas.row(y));
                }
            }
            before = Some(frame);
        }
    }
}

/// A limit for bytes that all threads share.
struct ByteBudget {
    taken: AtomicUsize,
    most: usize,
}

impl ByteBudget {
    fn new(most: usize) -> ByteBudget {
        ByteBudget {
            taken: AtomicUsize::new(0),
            most,
        }
    }

    /// Reserves bytes. Returns whether they fit into the limit.
    fn take(&self, bytes: usize) -> bool {
        let before = self.taken.fetch_add(bytes, Ordering::Relaxed);
        before.saturating_add(bytes) <= self.most
    }
}

/// Returns the extent of every picture of an animation.
pub(crate) fn extent<P: Painter>(
    animation: &Animation,
    painter: &P,
) -> Result<PixelSize, DrawError> {
    let extent = painter.extent(animation.size());
    match extent.pixels() {
        1..=MAX_FRAME_PIXELS => Ok(extent),
        _ => Err(DrawError::InvalidSize(extent)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::animation::batch::CHUNK_FRAMES;
    use crate::animation::{AnimationOptions, Progress};
    use std::ops::{ControlFlow, Range};
    use std::sync::{Arc, Mutex};

    use screentest_core::{Position, RecordingFrame, Screen, Size};

    /// Draws a cell as one pixel, which is lit at the cursor.
    #[derive(Clone)]
    struct Dots;

    impl Painter for Dots {
        fn extent(&self, size: Size) -> PixelSize {
            PixelSize {
                width: size.cols.into(),
                height: size.rows.into(),
            }
        }

        fn paint(
            &mut self,
            screen: &Screen,
            _: Option<&Screen>,
            pixels: &mut Pixels,
        ) -> Range<usize> {
            let at = screen.cursor.position;
            for y in 0..pixels.height() {
                pixels.row_mut(y).fill([0, 0, 0, 255]);
            }
            pixels.row_mut(at.row)[at.col] = [9, 0, 0, 255];
            0..pixels.height()
        }
    }

    /// Builds an animation in which the cursor moves to each position for a tenth of a second.
    fn animation(places: &[(usize, usize)]) -> Animation {
        let frames = places.iter().enumerate().map(|(n, (row, col))| {
            let mut screen = Screen::blank(Size { cols: 8, rows: 4 });
            screen.cursor.position = Position {
                row: *row,
                col: *col,
            };
            RecordingFrame {
                time: Duration::from_millis(100 * n as u64),
                screen,
            }
        });
        Animation::new(frames, &AnimationOptions::default()).unwrap()
    }

    fn options(threads: usize) -> EncodeOptions {
        EncodeOptions {
            threads: Threads::new(threads),
            ..EncodeOptions::default()
        }
    }

    /// Returns the rectangles that change after the first frame, each as column, row, width and
    /// height.
    fn areas(places: &[(usize, usize)], align: usize) -> Vec<[usize; 4]> {
        let animation = animation(places);
        let deltas = FrameDeltas::draw(&animation, &Dots, &options(1), align).unwrap();
        let area = |info: &DeltaInfo| [info.area.x, info.area.y, info.area.width, info.area.height];
        deltas.infos.iter().skip(1).map(area).collect()
    }

    #[test]
    fn a_delta_is_the_smallest_rectangle_of_changes() {
        assert_eq!(
            areas(&[(1, 3), (1, 5), (3, 5), (0, 0)], 1),
            [[3, 1, 3, 1], [5, 1, 1, 3], [0, 0, 6, 4]]
        );
        assert_eq!(
            areas(&[(1, 3), (1, 5), (3, 5)], 2),
            [[2, 0, 4, 2], [4, 0, 2, 4]]
        );
        assert_eq!(areas(&[(0, 0), (0, 7)], 1), [[0, 0, 8, 1]]);
    }

    #[test]
    fn chunks_beyond_the_cache_limit_are_drawn_again() {
        let places: Vec<(usize, usize)> = (0..100).map(|n| (n % 4, n * 3 % 8)).collect();
        let animation = animation(&places);
        let results = |most: usize| {
            let deltas =
                FrameDeltas::draw_with_cache(&animation, &Dots, &options(2), 1, most).unwrap();
            let kept = deltas
                .chunks
                .iter()
                .filter(|chunk| chunk.deltas.is_some())
                .count();
            let pixels =
                |(): &mut (), _: &DeltaInfo, delta: &FrameDelta| Ok((delta.pixels.clone(), 0));
            let mut all = Vec::new();
            let add = |info: &DeltaInfo, pixels| {
                all.push((info.clone(), pixels));
                Ok(())
            };
            deltas.for_each("test", || (), pixels, add).unwrap();
            (kept, all)
        };
        let (all, from_cache) = results(usize::MAX);
        let (none, drawn_again) = results(0);
        assert_eq!((all, none), (4, 0));
        assert_eq!(from_cache, drawn_again);
    }

    #[test]
    fn compressed_deltas_of_one_batch_at_a_time_are_in_memory() {
        /// A compressed delta that counts how many exist.
        struct Compressed<'a>(&'a AtomicUsize);

        impl Drop for Compressed<'_> {
            fn drop(&mut self) {
                self.0.fetch_sub(1, Ordering::Relaxed);
            }
        }

        let places: Vec<(usize, usize)> = (0..2000).map(|n| (n % 4, n * 3 % 8)).collect();
        let animation = animation(&places);
        for (kept, threads) in [(0, 1), (usize::MAX, 1), (0, 2), (usize::MAX, 2)] {
            let deltas =
                FrameDeltas::draw_with_cache(&animation, &Dots, &options(threads), 1, kept)
                    .unwrap();
            let (alive, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
            let make = |(): &mut (), _: &DeltaInfo, _: &FrameDelta| {
                let before = alive.fetch_add(1, Ordering::Relaxed);
                most.fetch_max(before + 1, Ordering::Relaxed);
                Ok((Compressed(&alive), 0))
            };
            let mut written = 0;
            let sink = |_: &DeltaInfo, _: Compressed<'_>| {
                written += 1;
                Ok(())
            };
            deltas.for_each("test", || (), make, sink).unwrap();
            assert_eq!(written, 2000);
            let most = most.into_inner();
            assert!(
                most <= 4 * CHUNK_FRAMES * threads,
                "{most} with {threads} threads"
            );
        }
    }

    #[test]
    fn an_animation_over_the_size_limit_is_an_error() {
        let places: Vec<(usize, usize)> = (0..100).map(|n| (n % 4, n * 3 % 8)).collect();
        let animation = animation(&places);
        for kept in [0, usize::MAX] {
            let deltas =
                FrameDeltas::draw_with_cache(&animation, &Dots, &options(2), 1, kept).unwrap();
            let results = |most| {
                let four = |(): &mut (), _: &DeltaInfo, _: &FrameDelta| Ok(((), 4));
                let mut count = 0;
                let add = |_: &DeltaInfo, ()| {
                    count += 1;
                    Ok(())
                };
                let written = deltas.for_each_within(most, "test", || (), four, add);
                written.map(|()| count)
            };
            let count = deltas.infos.len();
            assert_eq!(results(4 * count).unwrap(), count);
            let error = results(4 * count - 1).unwrap_err();
            assert!(matches!(error, EncodeError::TooLarge { format: "test" }));
        }
    }

    #[test]
    fn progress_rises_from_zero_to_the_total() {
        let places: Vec<(usize, usize)> = (0..100).map(|n| (n / 2 % 4, n / 2 * 3 % 8)).collect();
        let animation = animation(&places);
        for (kept, threads) in [(0, 1), (0, 3), (usize::MAX, 3)] {
            let updates = Arc::new(Mutex::new(Vec::new()));
            let listener = Arc::clone(&updates);
            let options = EncodeOptions {
                progress: Progress::new(move |done| listener.lock().unwrap().push(done)),
                ..options(threads)
            };
            let deltas =
                FrameDeltas::draw_with_cache(&animation, &Dots, &options, 1, kept).unwrap();
            deltas
                .for_each("test", || (), |(), _, _| Ok(((), 0)), |_, ()| Ok(()))
                .unwrap();
            let updates = updates.lock().unwrap();
            let total = 2 * animation.frames().len() as u64;
            assert!(updates.iter().all(|done| done.total == total));
            assert!(updates.is_sorted_by(|one, next| one.units < next.units));
            assert_eq!(updates.first().map(|done| done.units), Some(0));
            assert_eq!(updates.last().map(|done| done.units), Some(total));
            assert!(updates.len() > animation.frames().len());
        }
    }

    #[test]
    fn a_listener_can_stop_drawing_and_compression() {
        let places: Vec<(usize, usize)> = (0..100).map(|n| (n / 2 % 4, n / 2 * 3 % 8)).collect();
        let animation = animation(&places);
        let total = 2 * animation.frames().len() as u64;
        for (last, threads) in [(0, 1), (7, 1), (7, 3), (total - 7, 1), (total - 7, 3)] {
            let updates = Arc::new(Mutex::new(0));
            let listener = Arc::clone(&updates);
            let options = EncodeOptions {
                progress: Progress::stoppable(move |done| {
                    *listener.lock().unwrap() = done.units;
                    if done.units >= last {
                        ControlFlow::Break(())
                    } else {
                        ControlFlow::Continue(())
                    }
                }),
                ..options(threads)
            };
            let deltas = FrameDeltas::draw(&animation, &Dots, &options, 1);
            let results = deltas.and_then(|deltas| {
                deltas.for_each("test", || (), |(), _, _| Ok(((), 0)), |_, ()| Ok(()))
            });
            assert!(matches!(results, Err(EncodeError::Stopped)), "{last}");
            // The other threads finish the frame they are working on.
            let updates = *updates.lock().unwrap();
            assert!(updates <= last + 2 * threads as u64, "{updates} of {last}");
        }
    }
}
