//! Computes the frames that the pictures of a tape show: the screens of its recording without
//! hidden parts, with captions, keys and a blinking cursor.
//!
//! All of these are drawn into the screens, so that every format shows the same. Captions are rows
//! below the screen.
//!
//! See also: `run/annotations.rs` (the annotations in the recording), `screentest_render` (pixels).

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use crate::language::{KeyboardOverlay, OverlayLocation, Plan, TapeStep};
use screentest_core::{Backend, Cursor, RecordingFrame, Rgb, Row, Screen, Size, emulator};

use crate::run::annotations::Annotation;
use crate::run::step::{SCROLLBACK, scrolled};
use screentest::recording::cassette::{Cassette, CassetteError};
use screentest::recording::player::{PlayError, Player};

/// How long a blinking cursor is shown, and how long it is hidden, as in VHS's terminal.
const BLINK: Duration = Duration::from_millis(600);

/// How long keys stay visible after the last one was pressed.
const KEYS_VISIBLE: Duration = Duration::from_millis(1500);

/// The number of keys and typed texts that are shown at once.
const MAX_KEYS: usize = 4;

/// The number of characters of a typed text that are shown.
const MAX_TYPED: usize = 24;

/// The number of rows added for captions; the first one stays empty.
const CAPTION_ROWS: u16 = 2;

/// The overlays of a tape: captions, keys, cursor.
#[derive(Debug, Clone)]
pub(super) struct Overlay {
    captions: bool,
    overlay: KeyboardOverlay,
    location: OverlayLocation,
    blink: bool,
    starts_hidden: bool,
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
            .any(|step| matches!(&step.value, TapeStep::Caption(text) if !text.trim().is_empty()));
        Overlay {
            captions: captions || keys_below,
            overlay,
            location,
            blink: settings.cursor_blink,
            starts_hidden: matches!(
                plan.steps.first().map(|step| &step.value),
                Some(TapeStep::Hide)
            ),
            color,
        }
    }

    /// Returns a screen with a caption.
    pub(super) fn add_caption(&self, screen: &Screen, caption: &str) -> Screen {
        self.draw(screen, caption, &VisibleKeys::default(), screen.size)
    }

    fn draw(&self, screen: &Screen, caption: &str, keys: &VisibleKeys, max_size: Size) -> Screen {
        let mut drawn = screen.clone();
        if self.captions {
            drawn.rows.resize(max_size.rows.into(), Arc::default());
            drawn.size = Size {
                cols: max_size.cols,
                rows: max_size.rows.saturating_add(CAPTION_ROWS),
            };
            drawn.rows.push(Arc::default());
            drawn
                .rows
                .push(Arc::new(self.caption(caption, max_size.cols)));
        }
        if self.overlay != KeyboardOverlay::Off && !keys.labels.is_empty() {
            self.draw_keys(&mut drawn, keys);
        }
        drawn
    }

    /// A caption as a row: centred, or at the left if keys share the row.
    fn caption(&self, text: &str, cols: u16) -> Row {
        let Rgb { r, g, b } = self.color;
        let row = row(
            &format!(
                "\x1b[3;38;2;{r};{g};{b}m{}",
                without_control_chars(text.trim())
            ),
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

    fn draw_keys(&self, screen: &mut Screen, keys: &VisibleKeys) {
        let cols = screen.size.cols;
        let labels: Vec<String> = keys.labels.iter().map(KeyLabel::to_ansi).collect();
        let keys_row = row(&labels.join("\x1b[0m "), cols);
        let last = screen.rows.len().saturating_sub(1);
        let below = if self.captions {
            usize::from(CAPTION_ROWS)
        } else {
            0
        };
        let right = usize::from(cols).saturating_sub(keys_row.len());
        let (at, col) = match self.location {
            OverlayLocation::CaptionRow => (last, right),
            OverlayLocation::TopLeft => (0, 0),
            OverlayLocation::TopRight => (0, right),
            OverlayLocation::BottomLeft => (last - below.min(last), 0),
            OverlayLocation::BottomRight => (last - below.min(last), right),
        };
        if let Some(row) = screen.rows.get_mut(at) {
            *row = Arc::new(row.overlaid(col, &keys_row, cols.into()));
        }
    }

    /// Returns the visible frames of a recording, in order of time; `None` if `is_interrupted`
    /// returned true. Time is divided into intervals of length `tolerance`. Of the frames in one
    /// interval, only the last is kept, so bulk output needs no more memory than the video.
    pub(super) fn frames(
        &self,
        cassette: &Cassette,
        tolerance: Duration,
        is_interrupted: impl Fn() -> bool,
    ) -> Result<Option<Vec<RecordingFrame>>, PlayError> {
        let mut max_size = {
            let terminal = &cassette.manifest().terminal;
            Size {
                cols: terminal.cols,
                rows: terminal.rows,
            }
        };
        for size in cassette.resized_to()? {
            max_size.cols = max_size.cols.max(size.cols);
            max_size.rows = max_size.rows.max(size.rows);
        }
        let mut builder = FrameBuilder {
            overlay: self,
            tolerance,
            max_size,
            caption: String::new(),
            keys: VisibleKeys::default(),
            screen: None,
            view: None,
            hidden_since: self.starts_hidden.then_some(Duration::ZERO),
            hidden_before: Duration::ZERO,
            is_blank: true,
            frames: Vec::new(),
        };
        let mut annotations = Annotation::of(cassette)?.into_iter().peekable();
        for frame in Player::new(cassette)?.into_frames() {
            let RecordingFrame { time, screen } = frame?;
            if is_interrupted() {
                return Ok(None);
            }
            while let Some((at, annotation)) = annotations.next_if(|(at, _)| *at <= time) {
                builder.apply(at, annotation, cassette)?;
            }
            builder.show(time, screen);
        }
        for (at, annotation) in annotations {
            builder.apply(at, annotation, cassette)?;
        }
        let mut frames = builder.finish();
        if self.blink {
            frames = blinking(frames);
        }
        Ok(Some(frames))
    }
}

/// The state while the frames are computed.
struct FrameBuilder<'a> {
    overlay: &'a Overlay,
    tolerance: Duration,
    max_size: Size,
    caption: String,
    keys: VisibleKeys,
    /// The program's screen.
    screen: Option<Screen>,
    /// The scrolled view that is shown instead.
    view: Option<Screen>,
    /// The start of the current hidden part.
    hidden_since: Option<Duration>,
    /// The total length of earlier hidden parts.
    hidden_before: Duration,
    /// Whether only blank screens were shown so far; they are dropped from the start of the video.
    is_blank: bool,
    frames: Vec<RecordingFrame>,
}

impl FrameBuilder<'_> {
    fn show(&mut self, time: Duration, screen: Screen) {
        self.expire(time);
        self.screen = Some(screen);
        self.push_frame(time);
    }

    fn apply(
        &mut self,
        time: Duration,
        annotation: Annotation,
        cassette: &Cassette,
    ) -> Result<(), CassetteError> {
        self.expire(time);
        match annotation {
            Annotation::Hide if self.hidden_since.is_none() => {
                // The frame that is shown until now keeps its duration.
                self.push_frame(time);
                self.hidden_since = Some(time);
            }
            Annotation::Show => {
                if let Some(since) = self.hidden_since.take() {
                    self.hidden_before += time.saturating_sub(since);
                }
            }
            Annotation::Hide => {}
            Annotation::Caption(text) => self.caption = text,
            Annotation::Key(name) => self.keys.press(KeyLabel::Key(name), time),
            Annotation::Typed(text) => self.keys.press(KeyLabel::Typed(text), time),
            Annotation::View(0) => self.view = None,
            Annotation::View(rows) => {
                let state = cassette.state_at(time, SCROLLBACK)?;
                self.view = Some(scrolled(&state, rows));
            }
        }
        self.push_frame(time);
        Ok(())
    }

    /// Removes keys whose time is over.
    fn expire(&mut self, time: Duration) {
        if let Some(expired) = self.keys.until.filter(|until| *until <= time) {
            self.keys = VisibleKeys::default();
            self.push_frame(expired);
        }
    }

    fn push_frame(&mut self, time: Duration) {
        let visible = self.view.as_ref().or(self.screen.as_ref());
        let Some(screen) = visible.filter(|_| self.hidden_since.is_none()) else {
            return;
        };
        let is_blank = screen.rows.iter().all(|row| row.is_empty());
        let screen = self
            .overlay
            .draw(screen, &self.caption, &self.keys, self.max_size);
        if self.is_blank {
            self.frames.clear();
        }
        self.is_blank &= is_blank;
        let time = time.saturating_sub(self.hidden_before);
        let tick = |time: Duration| time.as_nanos() / self.tolerance.as_nanos().max(1);
        if self
            .frames
            .last()
            .is_some_and(|last| tick(last.time) == tick(time))
        {
            self.frames.pop();
        }
        self.frames.push(RecordingFrame { time, screen });
    }

    fn finish(mut self) -> Vec<RecordingFrame> {
        // If all of the recording is hidden, show at least its last screen.
        if self.frames.is_empty() {
            self.hidden_since = None;
            self.push_frame(Duration::ZERO);
        }
        self.frames
    }
}

/// The visible keys.
#[derive(Debug, Default)]
struct VisibleKeys {
    labels: VecDeque<KeyLabel>,
    until: Option<Duration>,
}

/// A pressed key or a typed text.
#[derive(Debug, PartialEq, Eq)]
enum KeyLabel {
    Key(String),
    Typed(String),
}

impl VisibleKeys {
    fn press(&mut self, label: KeyLabel, time: Duration) {
        match (self.labels.back_mut(), label) {
            (Some(KeyLabel::Typed(text)), KeyLabel::Typed(more)) => text.push_str(&more),
            (_, label) => self.labels.push_back(label),
        }
        if self.labels.len() > MAX_KEYS {
            self.labels.pop_front();
        }
        self.until = Some(time + KEYS_VISIBLE);
    }
}

impl KeyLabel {
    /// The key or text, in inverse video.
    fn to_ansi(&self) -> String {
        let text = match self {
            KeyLabel::Key(name) => name.clone(),
            KeyLabel::Typed(text) => {
                let count = text.chars().count();
                text.chars().skip(count.saturating_sub(MAX_TYPED)).collect()
            }
        };
        format!("\x1b[7m {} ", without_control_chars(&text))
    }
}

/// Replaces control characters by spaces.
fn without_control_chars(text: &str) -> String {
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
fn blinking(frames: Vec<RecordingFrame>) -> Vec<RecordingFrame> {
    let ends: Vec<Duration> = frames.iter().skip(1).map(|frame| frame.time).collect();
    let mut visible = Vec::new();
    // A frame that equals the previous one continues its blinking.
    let mut since: Option<(Duration, Screen)> = None;
    for (index, frame) in frames.into_iter().enumerate() {
        let end = ends.get(index).copied().unwrap_or(frame.time);
        let blink_start = match &since {
            Some((blink_start, screen)) if *screen == frame.screen => *blink_start,
            _ => frame.time,
        };
        since = Some((blink_start, frame.screen.clone()));
        let phase = |time: Duration| (time - blink_start).as_millis() / BLINK.as_millis();
        let at = |time: Duration| {
            let mut screen = frame.screen.clone();
            let Cursor { visible, .. } = &mut screen.cursor;
            *visible &= phase(time).is_multiple_of(2);
            RecordingFrame { time, screen }
        };
        visible.push(at(frame.time));
        if frame.screen.cursor.visible {
            let mut next = blink_start + BLINK * (phase(frame.time) as u32 + 1);
            while next < end && visible.len() < screentest_render::animation::MAX_FRAMES {
                visible.push(at(next));
                next += BLINK;
            }
        }
    }
    visible
}
