//! Shards: parts of the tapes, for running them on several machines.

use std::num::NonZeroUsize;
use std::str::FromStr;

/// Part number `part`, counted from 1, of `parts`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shard {
    part: NonZeroUsize,
    parts: NonZeroUsize,
}

impl Shard {
    /// Returns whether the tape at this index of the sorted list belongs to the shard. Neighbours
    /// belong to different shards, so that slow tapes of one directory are spread.
    pub(crate) fn has(self, index: usize) -> bool {
        index % self.parts == self.part.get() - 1
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let expected = "expected `K/N`, shard K of N, such as `1/3`";
        let (part, parts) = text.split_once('/').ok_or(expected)?;
        let shard = part.parse().ok().zip(parts.parse().ok());
        let (part, parts): (usize, usize) = shard.ok_or(expected)?;
        match (NonZeroUsize::new(part), NonZeroUsize::new(parts)) {
            (_, None) => Err("there must be at least one shard".to_owned()),
            (Some(part), Some(parts)) if part <= parts => Ok(Shard { part, parts }),
            _ => Err(format!("expected a shard from 1 to {parts}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_index_is_in_exactly_one_shard() {
        for parts in 1..8 {
            let shards: Vec<Shard> = (1..=parts)
                .map(|part| format!("{part}/{parts}").parse().unwrap())
                .collect();
            for index in 0..20 {
                let count = shards.iter().filter(|shard| shard.has(index)).count();
                assert_eq!(count, 1, "index {index}, {parts} shards");
            }
        }
    }

    #[test]
    fn invalid_shards_are_rejected() {
        let error = |text: &str| text.parse::<Shard>().unwrap_err();
        for text in ["", "x", "1", "1/", "/3", "a/b", "1/3/5", "-1/3", "1.5/3"] {
            assert!(error(text).starts_with("expected `K/N`"), "{text}");
        }
        assert_eq!(error("0/3"), "expected a shard from 1 to 3");
        assert_eq!(error("4/3"), "expected a shard from 1 to 3");
        assert_eq!(error("0/0"), "there must be at least one shard");
        assert!(error("1/99999999999999999999").starts_with("expected `K/N`"));
    }
}
