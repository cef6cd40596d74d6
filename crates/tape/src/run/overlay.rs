//! Computes the frames that the pictures of a tape show: the screens of its recording without
//! hidden parts, with captions, keys and a blinking cursor.
//!
//! All of these are drawn into the screens, so that every format shows the same. Captions are rows
//! below the screen.
//!
//! See also: `tape/cue.rs` (the annotations in the recording), `screentest_render` (pixels).

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use crate::language::{KeyboardOverlay, OverlayLocation, Plan, Step};
use screentest_core::{Backend, Cursor, Frame, Rgb, Row, Screen, Size, emulator};

use super::annotations::Annotation;
use super::step::{SCROLLBACK, scrolled};
use screentest::recording::cassette::{Cassette, CassetteError};
use screentest::recording::player::{PlayError, Player};

/// How long a blinking cursor is shown, and how long it is hidden, as in VHS's terminal.
const BLINK: Duration = Duration::from_millis(600);

/// How long keys stay visible after the last one was pressed.
const KEYS: Duration = Duration::from_millis(1500);

/// The number of keys and typed texts that are shown at once.
const MOST_KEYS: usize = 4;

/// The number of characters of a typed text that are shown.
const MOST_TYPED: usize = 24;

/// The number of rows added for captions; the first one stays empty.
const CAPTION_ROWS: u16 = 2;

/// The overlays of a tape: captions, keys, cursor.
#[derive(Debug, Clone)]
pub(super) struct Overlay {
    captions: bool,
    overlay: KeyboardOverlay,
    location: OverlayLocation,
    blink: bool,
    begins_hidden: bool,
    /// The colour of captions.
    color: Rgb,
}

impl Overlay {
    pub(super) fn of(plan: &Plan, color: Rgb) -> Overlay {
        let settings = &plan.settings;
        let overlay = settings.keyboard_overlay;
        let location = settings.keyboard_overlay_location;
        let keys_below = overlay != KeyboardOverlay::Off && location == OverlayLocation::CaptionRow;
        let captions = plan
            .steps
            .iter()
            .any(|step| matches!(&step.value, Step::Caption(text) if !text.trim().is_empty()));
        Overlay {
            captions: captions || keys_below,
            overlay,
            location,
            blink: settings.cursor_blink,
            begins_hidden: matches!(plan.steps.first().map(|step| &step.value), Some(Step::Hide)),
            color,
        }
    }

    /// A screen with a caption.
    pub(super) fn still(&self, screen: &Screen, caption: &str) -> Screen {
        self.put_on(screen, caption, &Keys::default(), screen.size)
    }

    fn put_on(&self, screen: &Screen, caption: &str, keys: &Keys, room: Size) -> Screen {
        let mut dressed = screen.clone();
        if self.captions {
            dressed.rows.resize(room.rows.into(), Arc::default());
            dressed.size = Size {
                cols: room.cols,
                rows: room.rows.saturating_add(CAPTION_ROWS),
            };
            dressed.rows.push(Arc::default());
            dressed
                .rows
                .push(Arc::new(self.caption(caption, room.cols)));
        }
        if self.overlay != KeyboardOverlay::Off && !keys.shown.is_empty() {
            self.put_keys(&mut dressed, keys);
        }
        dressed
    }

    /// A caption as a row: centred, or at the left if keys share the row.
    fn caption(&self, text: &str, cols: u16) -> Row {
        let Rgb { r, g, b } = self.color;
        let row = row(
            &format!("\x1b[3;38;2;{r};{g};{b}m{}", clean(text.trim())),
            cols,
        );
        let left = if self.location == OverlayLocation::CaptionRow
            && self.overlay != KeyboardOverlay::Off
        {
            // Keys are at the right.
            0
        } else {
            usize::from(cols).saturating_sub(row.len()) / 2
        };
        Row::default().overlaid(left, &row, cols.into())
    }

    fn put_keys(&self, screen: &mut Screen, keys: &Keys) {
        let cols = screen.size.cols;
        let chips: Vec<String> = keys.shown.iter().map(Pressed::chip).collect();
        let over = row(&chips.join("\x1b[0m "), cols);
        let last = screen.rows.len().saturating_sub(1);
        let below = if self.captions {
            usize::from(CAPTION_ROWS)
        } else {
            0
        };
        let right = usize::from(cols).saturating_sub(over.len());
        let (at, col) = match self.location {
            OverlayLocation::CaptionRow => (last, right),
            OverlayLocation::TopLeft => (0, 0),
            OverlayLocation::TopRight => (0, right),
            OverlayLocation::BottomLeft => (last - below.min(last), 0),
            OverlayLocation::BottomRight => (last - below.min(last), right),
        };
        if let Some(row) = screen.rows.get_mut(at) {
            *row = Arc::new(row.overlaid(col, &over, cols.into()));
        }
    }

    /// The visible frames of a recording, in order of time. Of frames within the same `moment`,
    /// only the last is kept, so bulk output needs no more memory than the video. `None` if
    /// `stopped` returned true.
    pub(super) fn frames(
        &self,
        cassette: &Cassette,
        moment: Duration,
        stopped: impl Fn() -> bool,
    ) -> Result<Option<Vec<Frame>>, PlayError> {
        let mut room = {
            let terminal = &cassette.manifest().terminal;
            Size {
                cols: terminal.cols,
                rows: terminal.rows,
            }
        };
        for size in cassette.resized_to()? {
            room.cols = room.cols.max(size.cols);
            room.rows = room.rows.max(size.rows);
        }
        let mut stage = Stage {
            dress: self,
            moment,
            room,
            caption: String::new(),
            keys: Keys::default(),
            screen: None,
            view: None,
            hidden: self.begins_hidden.then_some(Duration::ZERO),
            hidden_before: Duration::ZERO,
            blank: true,
            frames: Vec::new(),
        };
        let mut cues = Annotation::of(cassette)?.into_iter().peekable();
        for frame in Player::new(cassette)?.into_frames() {
            let Frame { time, screen } = frame?;
            if stopped() {
                return Ok(None);
            }
            while let Some((at, cue)) = cues.next_if(|(at, _)| *at <= time) {
                stage.cue(at, cue, cassette)?;
            }
            stage.show(time, screen);
        }
        for (at, cue) in cues {
            stage.cue(at, cue, cassette)?;
        }
        let mut frames = stage.finish();
        if self.blink {
            frames = blinking(frames);
        }
        Ok(Some(frames))
    }
}

/// The state while the frames are computed.
struct Stage<'a> {
    dress: &'a Overlay,
    moment: Duration,
    room: Size,
    caption: String,
    keys: Keys,
    /// The program's screen.
    screen: Option<Screen>,
    /// The scrolled view that is shown instead.
    view: Option<Screen>,
    /// The start of the current hidden part.
    hidden: Option<Duration>,
    /// The total length of earlier hidden parts.
    hidden_before: Duration,
    /// Whether only blank screens were shown so far; they are dropped from the start of the video.
    blank: bool,
    frames: Vec<Frame>,
}

impl Stage<'_> {
    fn show(&mut self, time: Duration, screen: Screen) {
        self.expire(time);
        self.screen = Some(screen);
        self.frame(time);
    }

    fn cue(
        &mut self,
        time: Duration,
        cue: Annotation,
        cassette: &Cassette,
    ) -> Result<(), CassetteError> {
        self.expire(time);
        match cue {
            Annotation::Hide if self.hidden.is_none() => {
                // The frame that is shown until now keeps its duration.
                self.frame(time);
                self.hidden = Some(time);
            }
            Annotation::Show => {
                if let Some(since) = self.hidden.take() {
                    self.hidden_before += time.saturating_sub(since);
                }
            }
            Annotation::Hide => {}
            Annotation::Caption(text) => self.caption = text,
            Annotation::Key(name) => self.keys.press(Pressed::Key(name), time),
            Annotation::Typed(text) => self.keys.press(Pressed::Typed(text), time),
            Annotation::View(0) => self.view = None,
            Annotation::View(rows) => {
                let state = cassette.state_at(time, SCROLLBACK)?;
                self.view = Some(scrolled(&state, rows));
            }
        }
        self.frame(time);
        Ok(())
    }

    /// Removes keys whose time is over.
    fn expire(&mut self, time: Duration) {
        if let Some(over) = self.keys.until.filter(|over| *over <= time) {
            self.keys = Keys::default();
            self.frame(over);
        }
    }

    fn frame(&mut self, time: Duration) {
        let seen = self.view.as_ref().or(self.screen.as_ref());
        let Some(screen) = seen.filter(|_| self.hidden.is_none()) else {
            return;
        };
        let blank = screen.rows.iter().all(|row| row.is_empty());
        let screen = self
            .dress
            .put_on(screen, &self.caption, &self.keys, self.room);
        if self.blank {
            self.frames.clear();
        }
        self.blank &= blank;
        let time = time.saturating_sub(self.hidden_before);
        let tick = |time: Duration| time.as_nanos() / self.moment.as_nanos().max(1);
        if self
            .frames
            .last()
            .is_some_and(|last| tick(last.time) == tick(time))
        {
            self.frames.pop();
        }
        self.frames.push(Frame { time, screen });
    }

    fn finish(mut self) -> Vec<Frame> {
        // If all of the recording is hidden, show at least its last screen.
        if self.frames.is_empty() {
            self.hidden = None;
            self.frame(Duration::ZERO);
        }
        self.frames
    }
}

/// The visible keys.
#[derive(Debug, Default)]
struct Keys {
    shown: VecDeque<Pressed>,
    until: Option<Duration>,
}

#[derive(Debug, PartialEq, Eq)]
enum Pressed {
    Key(String),
    Typed(String),
}

impl Keys {
    fn press(&mut self, pressed: Pressed, time: Duration) {
        match (self.shown.back_mut(), pressed) {
            (Some(Pressed::Typed(text)), Pressed::Typed(more)) => text.push_str(&more),
            (_, pressed) => self.shown.push_back(pressed),
        }
        if self.shown.len() > MOST_KEYS {
            self.shown.pop_front();
        }
        self.until = Some(time + KEYS);
    }
}

impl Pressed {
    /// The key or text, in inverse video.
    fn chip(&self) -> String {
        let text = match self {
            Pressed::Key(name) => name.clone(),
            Pressed::Typed(text) => {
                let count = text.chars().count();
                text.chars()
                    .skip(count.saturating_sub(MOST_TYPED))
                    .collect()
            }
        };
        format!("\x1b[7m {} ", clean(&text))
    }
}

/// Replaces control characters by spaces.
fn clean(text: &str) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    text.chars().map(plain).collect()
}

/// A styled text as a row, cut off at its end.
fn row(ansi: &str, cols: u16) -> Row {
    let size = Size { cols, rows: 1 };
    let mut emulator = Backend::default().emulator(size, emulator::EmulatorOptions::default());
    // Turn off wrapping, which would scroll this line out.
    emulator.feed(b"\x1b[?7l");
    emulator.feed(ansi.as_bytes());
    let screen = emulator.screen();
    screen
        .rows
        .first()
        .map_or_else(Row::default, |row| Row::clone(row))
}

/// Makes the cursor of these frames blink while nothing changes.
fn blinking(frames: Vec<Frame>) -> Vec<Frame> {
    let ends: Vec<Duration> = frames.iter().skip(1).map(|frame| frame.time).collect();
    let mut seen = Vec::new();
    // A frame that equals the previous one continues its blinking.
    let mut since: Option<(Duration, Screen)> = None;
    for (index, frame) in frames.into_iter().enumerate() {
        let end = ends.get(index).copied().unwrap_or(frame.time);
        let begun = match &since {
            Some((begun, screen)) if *screen == frame.screen => *begun,
            _ => frame.time,
        };
        since = Some((begun, frame.screen.clone()));
        let phase = |time: Duration| (time - begun).as_millis() / BLINK.as_millis();
        let at = |time: Duration| {
            let mut screen = frame.screen.clone();
            let Cursor { visible, .. } = &mut screen.cursor;
            *visible &= phase(time).is_multiple_of(2);
            Frame { time, screen }
        };
        seen.push(at(frame.time));
        if frame.screen.cursor.visible {
            let mut next = begun + BLINK * (phase(frame.time) as u32 + 1);
            while next < end && seen.len() < screentest_render::animation::MAX_FRAMES {
                seen.push(at(next));
                next += BLINK;
            }
        }
    }
    seen
}
