mod ambiguity;
mod basic;
mod borders;
mod pattern;
mod places;
mod regex;
mod runs;
mod screens;
