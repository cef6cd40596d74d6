//! `screentest snap`.

mod defaults;
mod invalid_arguments;
mod output_files;
mod output_formats;
mod process_cleanup;
mod steps;
