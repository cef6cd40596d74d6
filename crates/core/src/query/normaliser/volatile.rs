//! Kinds of text that vary by nature, and their patterns.
//!
//! Each kind is a few regular expressions whose groups are the varying parts. Numbers and words
//! must be isolated: the cells next to them are neither letters, digits, nor covered cells. The
//! last condition makes covering twice the same as covering once: it excludes a clock that appears
//! only because its neighbour was covered.
//!
//! The patterns prefer to find too much: a number that is covered without need hides little, but a
//! missed one makes a test fail every other day. [`Normaliser::Within`](crate::Normaliser::Within)
//! restricts them where needed.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

use crate::query::match_::MatchSpan;
use crate::query::selector::Regex;
use crate::{Match, Rect, Screen};

/// A kind of text that varies by nature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum VolatileText {
    /// Times of day and dates: `12:34`, `9:05:00 PM`, `2026-11-16`,
    /// `2026-11-16T12:34:56.789+01:00`, `Mon Nov 16`.
    Clocks,
    /// Process ids: after `pid`, `ppid` or `tid`, in square brackets (`sshd[4711]`, but not `[1]`),
    /// after the number of a shell's job (`[1] 4711`), and under a heading `PID`, down to the first
    /// row without one.
    Pids,
    /// Durations: `1.23s`, `250 ms`, `1m 02s`, `3d4h`, `2 minutes`, `0:07`, `00:01:02`.
    Durations,
    /// The numbers of animations, after or before their word: `frame=12`, `tick 7`, `60 fps`.
    Counters,
    /// The numbers before a per cent sign.
    Percentages,
    /// A single spinner character: one braille character, a rotating circle, arc, triangle, square,
    /// moon or clock, or one of `|/-\` between spaces.
    Spinners,
}

impl VolatileText {
    /// Every kind.
    pub const ALL: [VolatileText; 6] = [
        VolatileText::Clocks,
        VolatileText::Pids,
        VolatileText::Durations,
        VolatileText::Counters,
        VolatileText::Percentages,
        VolatileText::Spinners,
    ];

    /// Returns the matches of this kind in a rectangle.
    pub(super) fn matches(self, screen: &Screen, rect: Rect) -> Vec<Match> {
        let mut matches: Vec<Match> = self
            .patterns()
            .iter()
            .flat_map(|pattern| pattern.parts(screen, rect))
            .collect();
        if self == VolatileText::Pids {
            matches.extend(under_headings(screen, rect));
        }
        matches
    }

    fn patterns(self) -> &'static [Regex] {
        match self {
            VolatileText::Clocks => &CLOCKS,
            VolatileText::Pids => &PIDS,
            VolatileText::Durations => &DURATIONS,
            VolatileText::Counters => &COUNTERS,
            VolatileText::Percentages => &PERCENTAGES,
            VolatileText::Spinners => &SPINNERS,
        }
    }
}

type LazyRegexes = LazyLock<Vec<Regex>>;

static CLOCKS: LazyRegexes = LazyLock::new(|| {
    let zone = r"(?: ?(?:Z|UTC|GMT|[+-][0-9]{2}:?[0-9]{2}))?";
    let time = r"(?:[01]?[0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.,][0-9]+)?)?";
    let time = format!("{time}(?: ?[AaPp]\\.?[Mm]\\.?)?{zone}");
    let date = "[0-9]{4}[-/.](?:0[1-9]|1[0-2])[-/.](?:0[1-9]|[12][0-9]|3[01])";
    let weekday = "(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? )?";
    let month = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)";
    let day = "(?:0?[1-9]|[12][0-9]|3[01])";
    vec![
        // A colon before or after would make it part of something longer, such as a hardware
        // address.
        regex(&format!(
            "{BEFORE_TIME}({date}(?:[T ]{time})?|{time}){BEHIND_TIME}"
        )),
        alone(&format!("{weekday}{month} {{1,2}}{day}(?:,? [0-9]{{4}})?")),
        alone(&format!("{weekday}{day} {month}(?: [0-9]{{4}})?")),
    ]
});

static PIDS: LazyRegexes = LazyLock::new(|| {
    vec![
        regex(&format!(
            r"(?i){BEFORE}(?:p?pid|tid) *[:=#]? *\(?([0-9]+){BEHIND}"
        )),
        regex(r"\[([0-9]{2,})\]"),
        regex(&format!(r"^ *\[[0-9]+\][+-]? +([0-9]+){BEHIND}")),
    ]
});

static DURATIONS: LazyRegexes = LazyLock::new(|| {
    let number = "[0-9]+(?:[.,][0-9]+)*";
    let unit = "(?:[nuµμm]s|s|secs?|seconds?|mins?|minutes?|hrs?|hours?|days?)";
    // `m`, `h` and `d` must directly follow their number: after a space they are more likely a word
    // or a unit of length.
    let one = format!("{number}(?: ?{unit}|[mhd])");
    vec![
        alone(&format!("{one}(?: ?{one})*")),
        regex(&format!(
            r"{BEFORE_TIME}((?:[0-9]+-)?[0-9]+:[0-5][0-9](?::[0-5][0-9])?(?:[.,][0-9]+)?){BEHIND_TIME}"
        )),
    ]
});

static COUNTERS: LazyRegexes = LazyLock::new(|| {
    let word = "(?:frames?|ticks?|iter(?:ation)?s?|generation|counter|fps)";
    let number = "([0-9]+(?:[.,][0-9]+)*)";
    vec![
        regex(&format!("(?i){BEFORE}{word} *[:=#]? *{number}{BEHIND}")),
        regex(&format!("(?i){BEFORE}{number} ?{word}{BEHIND}")),
    ]
});

static PERCENTAGES: LazyRegexes =
    LazyLock::new(|| vec![regex(&format!("{BEFORE}([0-9]+(?:[.,][0-9]+)?) ?%"))]);

static SPINNERS: LazyRegexes = LazyLock::new(|| {
    // Several of them in a row are a chart or a picture.
    let turning = [
        "⠀-⣿",
        "◐◓◑◒",
        "◴◷◶◵",
        "◜◠◝◞◡◟",
        "◢◣◤◥",
        "◰◳◲◱",
        "▖▘▝▗",
        "🌑-🌘",
        "🕐-🕛",
    ];
    let mut patterns: Vec<Regex> = turning
        .iter()
        .map(|signs| regex(&format!("(?:^|[^{signs}▒])([{signs}])(?:$|[^{signs}▒])")))
        .collect();
    patterns.push(regex(r"(?:^| )([|/\\-])(?:$| )"));
    patterns
});

/// Context before and after an isolated match. `▒` is [`crate::Mask::FILL`].
const BEFORE: &str = r"(?:^|[^\w▒.])";
const BEHIND: &str = r"(?:$|[^\w▒])";
const BEFORE_TIME: &str = r"(?:^|[^\w▒.:])";
const BEHIND_TIME: &str = r"(?:$|[^\w▒:]|:(?:$|[^\w▒]))";

fn alone(pattern: &str) -> Regex {
    regex(&format!("{BEFORE}({pattern}){BEHIND}"))
}

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a test compiles every pattern of this file")
}

static HEADING: LazyLock<Regex> = LazyLock::new(|| regex(&format!("{BEFORE}(PID){BEHIND}")));
/// A number alone in its field, not the hour of a clock.
static NUMBER: LazyLock<Regex> = LazyLock::new(|| regex("(?:^|[ |│])([0-9]+)(?:$|[ |│])"));

/// Returns the numbers below each heading that share a column with it, down to the first row that
/// has none.
fn under_headings(screen: &Screen, rect: Rect) -> Vec<Match> {
    let headings = HEADING.parts(screen, rect);
    if headings.is_empty() {
        return Vec::new();
    }
    let numbers = NUMBER.parts(screen, rect);
    // Indexed by row: a screen full of headings and numbers has too many pairs to try.
    let mut rows: BTreeMap<usize, Vec<&Match>> = BTreeMap::new();
    for number in &numbers {
        for span in number.spans() {
            rows.entry(span.row).or_default().push(number);
        }
    }
    let mut matches = Vec::new();
    for heading in &headings {
        for row in heading.position().row + 1.. {
            let known = matches.len();
            let numbers = rows.get(&row).into_iter().flatten();
            matches.extend(
                numbers
                    .filter(|number| number.spans().iter().any(|span| shares(span, row, heading)))
                    .map(|number| Match::clone(number)),
            );
            if matches.len() == known {
                break;
            }
        }
    }
    matches
}

/// Returns whether a span is in this row and shares a column with a heading.
fn shares(span: &MatchSpan, row: usize, heading: &Match) -> bool {
    let overlap =
        |other: &MatchSpan| span.cols.start < other.cols.end && other.cols.start < span.cols.end;
    span.row == row && heading.spans().iter().any(overlap)
}

/// The name in reports: `clocks`.
impl fmt::Display for VolatileText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            VolatileText::Clocks => "clocks",
            VolatileText::Pids => "pids",
            VolatileText::Durations => "durations",
            VolatileText::Counters => "counters",
            VolatileText::Percentages => "percentages",
            VolatileText::Spinners => "spinners",
        })
    }
}
