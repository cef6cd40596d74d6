//! Reads the streams of a cassette: files with one line per event, and the output.

pub(crate) mod jsonl_reader;
pub(crate) mod line_order;
pub(crate) mod line_reader;
pub(crate) mod output_replay;
