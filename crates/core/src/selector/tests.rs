mod ambiguity;
mod basic;
mod borders;
mod places;
mod screens;
