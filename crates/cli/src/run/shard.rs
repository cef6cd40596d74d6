//! One part of the tapes, for machines that share them.

use std::num::NonZeroUsize;
use std::str::FromStr;

/// The `part`th of `parts`, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shard {
    part: NonZeroUsize,
    parts: NonZeroUsize,
}

impl Shard {
    /// Whether what stands at this place of the sorted list belongs to it. Neighbours go to different parts, so that a folder
    /// of slow tapes is shared.
    pub(crate) fn has(self, place: usize) -> bool {
        place % self.parts == self.part.get() - 1
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let expected = "expected `K/N`, the Kth of N parts, such as `1/3`";
        let (part, parts) = text.split_once('/').ok_or(expected)?;
        let shard = part.parse().ok().zip(parts.parse().ok());
        let (part, parts): (usize, usize) = shard.ok_or(expected)?;
        match (NonZeroUsize::new(part), NonZeroUsize::new(parts)) {
            (_, None) => Err("there must be at least one part".to_owned()),
            (Some(part), Some(parts)) if part <= parts => Ok(Shard { part, parts }),
            _ => Err(format!("parts are counted from 1 to {parts}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_all_once_each() {
        for parts in 1..8 {
            let shards: Vec<Shard> = (1..=parts)
                .map(|part| format!("{part}/{parts}").parse().unwrap())
                .collect();
            for place in 0..20 {
                let with = shards.iter().filter(|shard| shard.has(place)).count();
                assert_eq!(with, 1, "{place} of {parts} parts");
            }
        }
    }

    #[test]
    fn what_is_no_part_says_what_would_be_one() {
        let said = |text: &str| text.parse::<Shard>().unwrap_err();
        for text in ["", "x", "1", "1/", "/3", "a/b", "1/3/5", "-1/3", "1.5/3"] {
            assert!(said(text).starts_with("expected `K/N`"), "{text}");
        }
        assert_eq!(said("0/3"), "parts are counted from 1 to 3");
        assert_eq!(said("4/3"), "parts are counted from 1 to 3");
        assert_eq!(said("0/0"), "there must be at least one part");
        assert!(said("1/99999999999999999999").starts_with("expected `K/N`"));
    }
}
