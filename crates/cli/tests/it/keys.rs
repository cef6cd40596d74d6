//! Real programs receive every key, at the highest speed that each interface allows.
//!
//! Each test plays the script of one program through one interface several times. It fails if a key
//! is lost, doubled or received by the wrong field. `cargo xtask keys` counts the losses of all
//! tests.

mod driver;
mod program;
mod runs;

macro_rules! programs {
    ($($program:ident)*) => {$(
        mod $program {
            use super::driver::Interface;
            use super::{program, runs};

            #[test]
            fn library() {
                runs::check(&program::$program(), Interface::Library);
            }

            #[test]
            fn json_rpc() {
                runs::check(&program::$program(), Interface::JsonRpc);
            }

            #[test]
            fn shell() {
                runs::check(&program::$program(), Interface::Shell);
            }

            #[test]
            fn mcp() {
                runs::check(&program::$program(), Interface::Mcp);
            }

            #[test]
            fn tape() {
                runs::check(&program::$program(), Interface::Tape);
            }
        }
    )*};
}

programs! {
    textual_form
    ink_form
    ratatui_form
    curses_questions
    prompts
    dialog_questions
    vim
    bash
    tmux
    script
    slow_reader
}
