//! Running tapes side by side.
//!
//! One tape is one job: what it is run for again, because it failed or because it is to be run several times, comes after it and
//! not beside it, since its files are the same. Workers tell one listener, in the order in which things happen.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;

use screentest::Interrupt;
use screentest_tape::{ReadyTape, TapeFailureKind, TapeProgress};

use super::aside::Aside;
use super::case::{Attempt, Case, Done, Verdict};
use crate::plain;

/// How tapes are run.
#[derive(Debug, Clone)]
pub(crate) struct Orders {
    /// How many run side by side.
    pub(crate) workers: usize,
    /// How often each is run.
    pub(crate) repeat: u32,
    /// How often one that failed is run again; `None` leaves it to the tape's own options.
    pub(crate) retries: Option<u32>,
    /// After how many failures no further one is begun.
    pub(crate) max_failures: Option<usize>,
    /// What ends all of them.
    pub(crate) interrupt: Interrupt,
}

/// What happens to whom: workers are counted from 0.
#[derive(Debug)]
pub(crate) struct Event {
    pub(crate) worker: usize,
    pub(crate) what: What,
}

/// What happens.
#[derive(Debug)]
pub(crate) enum What {
    /// An attempt at a tape begins.
    Began { title: String, steps: usize },
    /// A step of it begins; steps are counted from 0.
    Step { number: usize, text: String },
    /// An output of it is written.
    Writing { path: String },
    /// There will be no further attempt.
    Ended { place: Place, case: Case },
}

/// Where in the results a case belongs: the number of its tape, and which time it is.
pub(crate) type Place = (usize, u32);

/// Runs all of them. What was not begun, when enough have failed or somebody ended it, comes back as such.
pub(crate) fn run(
    tapes: &[ReadyTape],
    orders: &Orders,
    mut listen: impl FnMut(usize, &What),
) -> Vec<Case> {
    let shared = Shared {
        tapes,
        orders,
        next: Mutex::new(0),
        failed: AtomicUsize::new(0),
    };
    let mut cases: BTreeMap<Place, Case> = BTreeMap::new();
    thread::scope(|scope| {
        let (teller, told) = mpsc::channel();
        for worker in 0..orders.workers.min(tapes.len()) {
            let shared = &shared;
            let teller = teller.clone();
            let tell = move |what| {
                // Who listens outlives who tells.
                let _ = Sender::send(&teller, Event { worker, what });
            };
            scope.spawn(move || shared.work(&tell));
        }
        drop(teller);
        for Event { worker, what } in told {
            listen(worker, &what);
            if let What::Ended { place, case } = what {
                cases.insert(place, case);
            }
        }
    });
    cases.into_values().collect()
}

struct Shared<'a> {
    tapes: &'a [ReadyTape],
    orders: &'a Orders,
    next: Mutex<usize>,
    failed: AtomicUsize,
}

impl Shared<'_> {
    /// Takes one tape after the other, until there is none.
    fn work(&self, tell: &dyn Fn(What)) {
        loop {
            let number = {
                let mut next = self.next.lock().expect("nobody panics who holds it");
                let number = *next;
                *next += 1;
                number
            };
            let Some(tape) = self.tapes.get(number) else {
                return;
            };
            let mut aside = Aside::of(tape);
            for time in 1..=self.orders.repeat {
                let case = self.case(tape, time, &mut aside, tell);
                if case.verdict() == Verdict::Failed {
                    self.failed.fetch_add(1, Ordering::SeqCst);
                }
                let place = (number, time);
                tell(What::Ended { place, case });
            }
        }
    }

    fn is_over(&self) -> bool {
        let most = self.orders.max_failures.unwrap_or(usize::MAX);
        self.orders.interrupt.is_raised() || self.failed.load(Ordering::SeqCst) >= most
    }

    fn case(&self, tape: &ReadyTape, time: u32, aside: &mut Aside, tell: &dyn Fn(What)) -> Case {
        let mut case = Case {
            name: tape.name().to_owned(),
            time: (time, self.orders.repeat),
            steps: tape.steps(),
            theme: tape.theme().clone(),
            attempts: Vec::new(),
        };
        let retries = self.orders.retries;
        let mut left = retries.unwrap_or(tape.options().run.retries);
        // What was begun is tried as often as it may be, however many others have failed meanwhile.
        let over = |case: &Case| match case.attempts.is_empty() {
            true => self.is_over(),
            false => self.orders.interrupt.is_raised(),
        };
        while !over(&case) {
            tell(What::Began {
                title: case.title(),
                steps: case.steps,
            });
            let mut attempt = attempt(tape, tell);
            // What could not be had or written will not be there a moment later either.
            let failed = attempt.run.failure.as_ref();
            let fickle = failed.is_some_and(|failure| failure.kind == TapeFailureKind::Step);
            let again = fickle && left > 0;
            if again || time < self.orders.repeat {
                aside.put(&mut attempt.run);
            }
            case.attempts.push(attempt);
            if !again {
                break;
            }
            left -= 1;
        }
        case
    }
}

fn attempt(tape: &ReadyTape, tell: &dyn Fn(What)) -> Attempt {
    let mut done: Vec<Done> = Vec::new();
    let run = tape.run(|progress| match progress {
        TapeProgress::Step { number, step, .. } => {
            let text = plain::shown(step.span.text());
            tell(What::Step {
                number,
                text: text.clone(),
            });
            done.push(Done {
                place: format!("{}:{}", step.span.source().name(), step.span.line()),
                text,
                took: None,
            });
        }
        TapeProgress::Done { took, .. } => {
            if let Some(last) = done.last_mut() {
                last.took = Some(took);
            }
        }
        TapeProgress::Writing { output } => tell(What::Writing {
            path: plain::shown(&output.path),
        }),
        _ => {}
    });
    // Of what went well, nobody asks how.
    if run.passed() {
        done.clear();
    }
    Attempt { run, done }
}
