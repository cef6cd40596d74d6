//! What changes from shot to shot, as pixels.
//!
//! A cel is the smallest rectangle around the pixels that a shot changes, with the ones inside it that stay the same marked.
//! A film is cut into stretches of a fixed number of shots, which threads draw independently of each other, so what comes out
//! does not depend on how many there are. The cels of a long film do not all fit in memory; stretches that do not are drawn
//! again when they are needed.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use super::progress::Tally;
use super::{Extent, Film, MAX_FILE, Painter, Shot, Threads, WriteError, Writing};
use crate::Pixels;
use crate::palette::{Color, Distinct};

/// The most pixels a shot of a film may have: 128 MiB each time that it is kept, and several are kept at once. A single picture
/// may have twice as many ([`picture::MAX_PIXELS`](crate::picture::MAX_PIXELS)).
pub const MAX_SHOT_PIXELS: usize = 1 << 25;
/// How many shots a stretch has. Each begins with a whole drawing of the shot before it, which is as much work as a few
/// dozen shots in which somebody types.
const STRETCH: usize = 32;
/// How many bytes of pixels threads may draw on at once; with large pictures fewer threads work.
const CANVASES: usize = 1 << 30;
/// How many bytes of cels are kept between the first look at them and the second.
const KEPT: usize = 256 << 20;

/// Why a film cannot be drawn.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DrawError {
    /// More than [`MAX_SHOT_PIXELS`], or none.
    #[error("a picture of {}x{} pixels cannot be drawn: it has 1 to {MAX_SHOT_PIXELS} in all", .0.width, .0.height)]
    Extent(Extent),
}

/// A rectangle of pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Area {
    pub(crate) x: usize,
    pub(crate) y: usize,
    pub(crate) width: usize,
    pub(crate) height: usize,
}

/// A pixel of a cel: its colour, and whether it was the same before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CelPixel(u32);

impl CelPixel {
    const SAME: u32 = 1 << 24;

    #[cfg(test)]
    pub(crate) fn changed(color: Color) -> CelPixel {
        CelPixel(color.0)
    }

    pub(crate) fn color(self) -> Color {
        Color(self.0 & !CelPixel::SAME)
    }

    /// Whether it is already shown.
    pub(crate) fn is_same(self) -> bool {
        self.0 & CelPixel::SAME != 0
    }
}

/// What a shot changes.
#[derive(Debug)]
pub(crate) struct Cel {
    pub(crate) area: Area,
    /// Row by row.
    pub(crate) pixels: Vec<CelPixel>,
}

/// Where a cel stands and how long it is seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cue {
    pub(crate) area: Area,
    pub(crate) duration: Duration,
    /// The colours of what it changes, in the order of their numbers; nothing where there are more than 256.
    pub(crate) colors: Option<Box<[Color]>>,
}

/// The cels of a film.
pub(crate) struct Cels<'a, P> {
    film: &'a Film,
    painter: &'a P,
    threads: Threads,
    tally: Tally,
    align: usize,
    pub(crate) extent: Extent,
    /// One for each cel: at least one, and the first covers everything.
    pub(crate) cues: Vec<Cue>,
    stretches: Vec<Stretch>,
}

struct Stretch {
    shots: Range<usize>,
    /// The number of its first cel.
    first: usize,
    /// Its cels, unless there was no room to keep them.
    cels: Option<Vec<Cel>>,
}

/// What the first look at a stretch found.
struct Found {
    /// How much longer the last cel before it is seen: its first shots looked the same.
    before: Duration,
    cues: Vec<Cue>,
    cels: Option<Vec<Cel>>,
}

impl<'a, P: Painter> Cels<'a, P> {
    /// Draws a film. Corners of areas are multiples of `align`.
    pub(crate) fn draw(
        film: &'a Film,
        painter: &'a P,
        writing: &Writing,
        align: usize,
    ) -> Result<Cels<'a, P>, WriteError> {
        Cels::draw_keeping(film, painter, writing, align, KEPT)
    }

    /// The same, with so many bytes of cels kept.
    fn draw_keeping(
        film: &'a Film,
        painter: &'a P,
        writing: &Writing,
        align: usize,
        most: usize,
    ) -> Result<Cels<'a, P>, WriteError> {
        let extent = extent(film, painter)?;
        let mut cels = Cels {
            film,
            painter,
            // Each thread has what is shown and what is drawn.
            threads: writing.threads.at_most(CANVASES / (extent.pixels() * 8)),
            tally: Tally::new(&writing.progress, film.shots.len()),
            align,
            extent,
            cues: Vec::new(),
            stretches: Vec::new(),
        };
        let room = Room::new(most);
        let count = film.shots.len().div_ceil(STRETCH);
        let found = cels.threads.run(
            count,
            || painter.clone(),
            |painter, stretch| cels.first_look(painter, shots(film, stretch), &room),
        );
        for (stretch, found) in found.into_iter().enumerate() {
            if let Some(last) = cels.cues.last_mut() {
                last.duration += found.before;
            }
            cels.stretches.push(Stretch {
                shots: shots(film, stretch),
                first: cels.cues.len(),
                cels: found.cels,
            });
            cels.cues.extend(found.cues);
        }
        match cels.tally.is_stopped() {
            true => Err(WriteError::Stopped),
            false => Ok(cels),
        }
    }

    /// Compresses every cel, in order. `make` gives what it made and how many bytes that takes; a film that comes to more than
    /// [`MAX_FILE`] is given up at once.
    pub(crate) fn map<W: Send, R: Send>(
        &self,
        format: &'static str,
        worker: impl Fn() -> W,
        make: impl Fn(&mut W, &Cue, &Cel) -> Result<(R, usize), WriteError> + Sync,
    ) -> Result<Vec<R>, WriteError> {
        self.map_within(MAX_FILE, format, worker, make)
    }

    /// The same, with so many bytes as the most.
    fn map_within<W: Send, R: Send>(
        &self,
        most: usize,
        format: &'static str,
        worker: impl Fn() -> W,
        make: impl Fn(&mut W, &Cue, &Cel) -> Result<(R, usize), WriteError> + Sync,
    ) -> Result<Vec<R>, WriteError> {
        // A stretch at a time where cels are drawn again, but each cel for itself where they are kept: the first is large.
        let mut jobs: Vec<(usize, Option<usize>)> = Vec::new();
        for (index, stretch) in self.stretches.iter().enumerate() {
            match &stretch.cels {
                Some(cels) => jobs.extend((0..cels.len()).map(|cel| (index, Some(cel)))),
                None => jobs.push((index, None)),
            }
        }
        let room = Room::new(most);
        let given_up = AtomicBool::new(false);
        let make = |worker: &mut W, cue: &Cue, cel: &Cel| -> Result<R, WriteError> {
            let (made, bytes) = make(worker, cue, cel)?;
            if !room.take(bytes) {
                return Err(WriteError::TooLarge { format });
            }
            self.tally.compressed(self.cues.len());
            match self.tally.is_stopped() {
                true => Err(WriteError::Stopped),
                false => Ok(made),
            }
        };
        let worker = || (worker(), self.painter.clone());
        let made = self
            .threads
            .run(jobs.len(), worker, |(worker, painter), job| {
                // Somebody has found that all is in vain.
                if given_up.load(Ordering::Relaxed) {
                    return Err(None);
                }
                let (index, cel) = jobs[job];
                let stretch = &self.stretches[index];
                let mut made = Ok(Vec::new());
                let mut add = |cue: &Cue, cel: &Cel| {
                    if let Ok(all) = &mut made {
                        match make(worker, cue, cel) {
                            Ok(one) => all.push(one),
                            Err(error) => made = Err(Some(error)),
                        }
                    }
                };
                match (cel, &stretch.cels) {
                    (Some(cel), Some(cels)) => {
                        add(&self.cues[stretch.first + cel], &cels[cel]);
                    }
                    _ => {
                        let mut cues = self.cues[stretch.first..].iter();
                        self.look(painter, stretch.shots.clone(), |changed| {
                            if let Some(cel) = changed
                                && let Some(cue) = cues.next()
                            {
                                add(cue, &cel);
                            }
                        });
                    }
                }
                if made.is_err() {
                    given_up.store(true, Ordering::Relaxed);
                }
                made
            });
        let mut all = Vec::with_capacity(self.cues.len());
        let mut wrong = None;
        for made in made {
            match made {
                Ok(made) => all.extend(made),
                Err(error) => wrong = wrong.or(error),
            }
        }
        match wrong {
            Some(error) => Err(error),
            None => Ok(all),
        }
    }

    /// Draws a stretch to learn what is in it.
    fn first_look(&self, painter: &mut P, shots: Range<usize>, room: &Room) -> Found {
        let mut found = Found {
            before: Duration::ZERO,
            cues: Vec::new(),
            cels: Some(Vec::new()),
        };
        let mut distinct = Distinct::default();
        let mut durations = self.film.shots[shots.clone()]
            .iter()
            .map(|shot| shot.duration);
        self.look(painter, shots, |changed| {
            let duration = durations.next().unwrap_or_default();
            self.tally.drawn();
            match changed {
                None => match found.cues.last_mut() {
                    Some(cue) => cue.duration += duration,
                    None => found.before += duration,
                },
                Some(cel) => {
                    found.cues.push(Cue {
                        area: cel.area,
                        duration,
                        colors: distinct.of(&cel.pixels),
                    });
                    if !room.take(size_of_val(&cel.pixels[..])) {
                        found.cels = None;
                    }
                    if let Some(cels) = &mut found.cels {
                        cels.push(cel);
                    }
                }
            }
        });
        found
    }

    /// Draws a stretch, and shows what each of its shots changes; `None` where that is nothing.
    fn look(&self, painter: &mut P, shots: Range<usize>, mut see: impl FnMut(Option<Cel>)) {
        let Extent { width, height } = self.extent;
        let mut canvas = Pixels::filled(width, height, [0, 0, 0, 255]);
        let mut before: Option<&Shot> = shots
            .start
            .checked_sub(1)
            .map(|index| &self.film.shots[index]);
        if let Some(before) = before {
            painter.paint(&before.screen, None, &mut canvas);
        }
        let mut shown = canvas.clone();
        for shot in &self.film.shots[shots] {
            if self.tally.is_stopped() {
                return;
            }
            let screen = before.map(|shot| &shot.screen);
            let rows = painter.paint(&shot.screen, screen, &mut canvas);
            let changed = match before {
                Some(_) => changed(&shown, &canvas, rows, self.align),
                None => Some(Area {
                    x: 0,
                    y: 0,
                    width,
                    height,
                }),
            };
            see(changed.map(|area| Cel {
                area,
                pixels: match before {
                    Some(_) => cut(&shown, &canvas, area),
                    None => whole(&canvas),
                },
            }));
            if let Some(area) = changed {
                for y in area.y..area.y + area.height {
                    shown.row_mut(y).copy_from_slice(canvas.row(y));
                }
            }
            before = Some(shot);
        }
    }
}

/// How much may be kept by all threads together.
struct Room {
    taken: AtomicUsize,
    most: usize,
}

impl Room {
    fn new(most: usize) -> Room {
        Room {
            taken: AtomicUsize::new(0),
            most,
        }
    }

    /// Whether there was room for some bytes.
    fn take(&self, bytes: usize) -> bool {
        let before = self.taken.fetch_add(bytes, Ordering::Relaxed);
        before.saturating_add(bytes) <= self.most
    }
}

fn shots(film: &Film, stretch: usize) -> Range<usize> {
    let start = stretch * STRETCH;
    start..(start + STRETCH).min(film.shots.len())
}

/// How large every picture of a film is.
pub(crate) fn extent<P: Painter>(film: &Film, painter: &P) -> Result<Extent, DrawError> {
    let extent = painter.extent(film.size());
    match extent.pixels() {
        1..=MAX_SHOT_PIXELS => Ok(extent),
        _ => Err(DrawError::Extent(extent)),
    }
}

/// The smallest area around what differs within some rows; nothing where they are the same.
fn changed(one: &Pixels, other: &Pixels, rows: Range<usize>, align: usize) -> Option<Area> {
    let rows = rows.start.min(one.height())..rows.end.min(one.height());
    let differs = |y: &usize| one.row(*y) != other.row(*y);
    let top = rows.clone().find(differs)?;
    let bottom = rows.rev().find(differs)?;
    let (mut left, mut right) = (one.width(), 0);
    for y in top..=bottom {
        let mut pairs = one.row(y).iter().zip(other.row(y));
        // Only what lies outside what is known already can widen it.
        if let Some(first) = pairs
            .clone()
            .take(left)
            .position(|(one, other)| one != other)
        {
            left = first;
        }
        let behind = pairs.len() - (right + 1).min(pairs.len());
        if let Some(last) = pairs
            .by_ref()
            .rev()
            .take(behind)
            .position(|(one, other)| one != other)
        {
            right = one.width() - 1 - last;
        }
    }
    // The first row that differs may do so in its first column only, which the search from the right does not reach.
    let right = right.max(left);
    let (x, y) = (left - left % align, top - top % align);
    Some(Area {
        x,
        y,
        width: right + 1 - x,
        height: bottom + 1 - y,
    })
}

fn number(pixel: crate::Pixel) -> u32 {
    u32::from_le_bytes(pixel) & 0xff_ffff
}

fn whole(canvas: &Pixels) -> Vec<CelPixel> {
    canvas
        .data()
        .iter()
        .map(|pixel| CelPixel(number(*pixel)))
        .collect()
}

/// The pixels of an area, with those marked that were shown before.
fn cut(shown: &Pixels, canvas: &Pixels, area: Area) -> Vec<CelPixel> {
    let mut pixels = Vec::with_capacity(area.width * area.height);
    for y in area.y..area.y + area.height {
        let columns = area.x..area.x + area.width;
        let before = &shown.row(y)[columns.clone()];
        let pairs = before.iter().zip(&canvas.row(y)[columns]);
        pixels.extend(pairs.map(|(before, now)| {
            let same = u32::from(before == now) * CelPixel::SAME;
            CelPixel(number(*now) | same)
        }));
    }
    pixels
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::film::{Options, Progress};
    use std::ops::ControlFlow;
    use std::sync::{Arc, Mutex};

    use screentest_core::{Frame, Position, Screen, Size};

    /// Draws a cell as one pixel, which is lit where the cursor is.
    #[derive(Clone)]
    struct Dots;

    impl Painter for Dots {
        fn extent(&self, size: Size) -> Extent {
            Extent {
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

    /// A film in which the cursor goes to each place for a tenth of a second.
    fn film(places: &[(usize, usize)]) -> Film {
        let frames = places.iter().enumerate().map(|(n, (row, col))| {
            let mut screen = Screen::blank(Size { cols: 8, rows: 4 });
            screen.cursor.position = Position {
                row: *row,
                col: *col,
            };
            Frame {
                time: Duration::from_millis(100 * n as u64),
                screen,
            }
        });
        Film::new(frames, &Options::default()).unwrap()
    }

    fn writing(threads: usize) -> Writing {
        Writing {
            threads: Threads::new(threads),
            ..Writing::default()
        }
    }

    /// The areas that change after the first shot, each as column, row, width and height.
    fn areas(places: &[(usize, usize)], align: usize) -> Vec<[usize; 4]> {
        let film = film(places);
        let cels = Cels::draw(&film, &Dots, &writing(1), align).unwrap();
        let area = |cue: &Cue| [cue.area.x, cue.area.y, cue.area.width, cue.area.height];
        cels.cues.iter().skip(1).map(area).collect()
    }

    #[test]
    fn an_area_is_as_small_as_what_changed() {
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
    fn what_is_not_kept_is_drawn_again() {
        let places: Vec<(usize, usize)> = (0..100).map(|n| (n % 4, n * 3 % 8)).collect();
        let film = film(&places);
        let made = |most: usize| {
            let cels = Cels::draw_keeping(&film, &Dots, &writing(2), 1, most).unwrap();
            let kept = cels
                .stretches
                .iter()
                .filter(|stretch| stretch.cels.is_some())
                .count();
            (
                kept,
                cels.map(
                    "test",
                    || (),
                    |(), cue, cel| Ok(((cue.clone(), cel.pixels.clone()), 0)),
                )
                .unwrap(),
            )
        };
        let (all, kept) = made(usize::MAX);
        let (none, again) = made(0);
        assert_eq!((all, none), (4, 0));
        assert_eq!(kept, again);
    }

    #[test]
    fn what_comes_to_too_many_bytes_is_given_up() {
        let places: Vec<(usize, usize)> = (0..100).map(|n| (n % 4, n * 3 % 8)).collect();
        let film = film(&places);
        for kept in [0, usize::MAX] {
            let cels = Cels::draw_keeping(&film, &Dots, &writing(2), 1, kept).unwrap();
            let made = |most| {
                let four = |(): &mut (), _: &Cue, _: &Cel| Ok(((), 4));
                cels.map_within(most, "test", || (), four)
            };
            let count = cels.cues.len();
            assert_eq!(made(4 * count).unwrap().len(), count);
            let error = made(4 * count - 1).unwrap_err();
            assert!(matches!(error, WriteError::TooLarge { format: "test" }));
        }
    }

    #[test]
    fn progress_climbs_once_from_nothing_to_all() {
        let places: Vec<(usize, usize)> = (0..100).map(|n| (n / 2 % 4, n / 2 * 3 % 8)).collect();
        let film = film(&places);
        for (kept, threads) in [(0, 1), (0, 3), (usize::MAX, 3)] {
            let heard = Arc::new(Mutex::new(Vec::new()));
            let listener = Arc::clone(&heard);
            let writing = Writing {
                progress: Progress::new(move |done| listener.lock().unwrap().push(done)),
                ..writing(threads)
            };
            let cels = Cels::draw_keeping(&film, &Dots, &writing, 1, kept).unwrap();
            cels.map("test", || (), |(), _, _| Ok(((), 0))).unwrap();
            let heard = heard.lock().unwrap();
            let total = 2 * film.shots().len() as u64;
            assert!(heard.iter().all(|done| done.total == total));
            assert!(heard.is_sorted_by(|one, next| one.units < next.units));
            assert_eq!(heard.first().map(|done| done.units), Some(0));
            assert_eq!(heard.last().map(|done| done.units), Some(total));
            assert!(heard.len() > film.shots().len());
        }
    }

    #[test]
    fn who_is_told_may_end_it_while_it_is_drawn_and_while_it_is_compressed() {
        let places: Vec<(usize, usize)> = (0..100).map(|n| (n / 2 % 4, n / 2 * 3 % 8)).collect();
        let film = film(&places);
        let total = 2 * film.shots().len() as u64;
        for (last, threads) in [(0, 1), (7, 1), (7, 3), (total - 7, 1), (total - 7, 3)] {
            let heard = Arc::new(Mutex::new(0));
            let listener = Arc::clone(&heard);
            let writing = Writing {
                progress: Progress::stoppable(move |done| {
                    *listener.lock().unwrap() = done.units;
                    match done.units >= last {
                        true => ControlFlow::Break(()),
                        false => ControlFlow::Continue(()),
                    }
                }),
                ..writing(threads)
            };
            let cels = Cels::draw(&film, &Dots, &writing, 1);
            let made = cels.and_then(|cels| cels.map("test", || (), |(), _, _| Ok(((), 0))));
            assert!(matches!(made, Err(WriteError::Stopped)), "{last}");
            // The other threads end what they have in hand.
            let heard = *heard.lock().unwrap();
            assert!(heard <= last + 2 * threads as u64, "{heard} of {last}");
        }
    }
}
