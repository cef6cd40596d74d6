mod captures;
mod choices;
mod commands;
mod highlights;
mod random;
mod screens;
mod tables;
mod values;
