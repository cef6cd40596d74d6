//! A line of the table: the value of every contender, and its ratio to ours.
//!
//! Contenders take turns. A slow one drops out of later rounds, so that it does not hold up the
//! others. It is then compared with our values of the same rounds, since the load may have changed
//! later.

use crate::contender::{Contender, OURS};

/// Whether more or less is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Better {
    Less,
    More,
}

/// A line of the table.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Measure {
    pub(crate) name: String,
    pub(crate) unit: &'static str,
    pub(crate) ours: f64,
    pub(crate) others: Vec<Result>,
}

/// One contender in a line of the table.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Result {
    pub(crate) contender: &'static str,
    pub(crate) value: f64,
    /// How many times better we are.
    pub(crate) ratio: f64,
}

/// The figures of all contenders, by round.
#[derive(Debug, Default)]
pub(crate) struct Samples {
    of: Vec<(&'static str, Vec<Vec<f64>>)>,
}

impl Samples {
    /// Adds the figures of a contender's next round.
    pub(crate) fn add(&mut self, contender: &Contender, figures: Vec<f64>) {
        self.add_of(contender.name, figures);
    }

    fn add_of(&mut self, name: &'static str, figures: Vec<f64>) {
        match self.of.iter_mut().find(|(known, _)| *known == name) {
            Some((_, rounds)) => rounds.push(figures),
            None => self.of.push((name, vec![figures])),
        }
    }

    /// Computes a line of the table from all figures of each contender.
    pub(crate) fn measure(
        &self,
        name: impl Into<String>,
        unit: &'static str,
        better: Better,
        value: impl Fn(&[f64]) -> f64,
    ) -> Measure {
        let of = |rounds: &[Vec<f64>]| value(&rounds.concat());
        let ours = self.of.iter().find(|(known, _)| *known == OURS);
        let ours = ours.map_or(&[][..], |(_, rounds)| rounds);
        let others = self.of.iter().filter(|(known, _)| *known != OURS);
        let others = others.map(|(contender, rounds)| {
            let theirs = of(rounds);
            let same = of(&ours[..rounds.len().min(ours.len())]);
            let ratio = match better {
                Better::Less => theirs / same,
                Better::More => same / theirs,
            };
            Result {
                contender,
                value: theirs,
                ratio,
            }
        });
        Measure {
            name: name.into(),
            unit,
            ours: of(ours),
            others: others.collect(),
        }
    }
}

/// Returns the median.
pub(crate) fn median(values: &[f64]) -> f64 {
    quantile(values, 0.5)
}

/// Returns the 99th percentile.
pub(crate) fn p99(values: &[f64]) -> f64 {
    quantile(values, 0.99)
}

fn quantile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => f64::NAN,
        count => sorted[((count - 1) as f64 * share).round() as usize],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(of: &[(&'static str, &[&[f64]])]) -> Samples {
        let mut samples = Samples::default();
        for (name, rounds) in of {
            for round in *rounds {
                samples.add_of(name, round.to_vec());
            }
        }
        samples
    }

    #[test]
    fn a_ratio_above_one_means_that_we_are_ahead() {
        let samples = samples(&[(OURS, &[&[10.0]]), ("other", &[&[25.0]])]);
        let time = samples.measure("wait", "µs", Better::Less, median);
        assert_eq!((time.ours, time.others[0].value), (10.0, 25.0));
        assert_eq!(time.others[0].ratio, 2.5);
        let rate = samples.measure("flood", "MB/s", Better::More, median);
        assert_eq!(rate.others[0].ratio, 0.4);
    }

    #[test]
    fn a_dropped_contender_is_compared_in_its_own_rounds() {
        let samples = samples(&[
            (OURS, &[&[1.0], &[1.0], &[9.0], &[9.0], &[9.0]]),
            ("slow", &[&[4.0], &[4.0]]),
        ]);
        let measure = samples.measure("suite", "ms", Better::Less, median);
        assert_eq!(measure.ours, 9.0);
        assert_eq!(measure.others[0].ratio, 4.0);
    }

    #[test]
    fn quantiles_are_measured_values() {
        let values: Vec<f64> = (1..=201).rev().map(f64::from).collect();
        assert_eq!(median(&values), 101.0);
        assert_eq!(p99(&values), 199.0);
        assert_eq!(p99(&[5.0]), 5.0);
        assert!(median(&[]).is_nan());
    }
}
