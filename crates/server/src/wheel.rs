//! Who drives a session.
//!
//! As long as nobody took the wheel, everybody who may touch may type. Once a person took it, what anybody else types is refused, so that two
//! do not type into each other's words; whoever has it lets go of it, or goes away.

use std::sync::{Mutex, MutexGuard};

use crate::caller::Caller;
use crate::service::lock;
use crate::wire::{Code, Failure};

/// The wheel of one session.
#[derive(Debug, Default)]
pub(crate) struct Wheel(Mutex<Option<Driver>>);

/// Who has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Driver {
    number: u64,
    /// What they call themselves.
    pub(crate) name: String,
}

impl Wheel {
    /// Gives the wheel to somebody, whoever had it.
    pub(crate) fn take(&self, caller: &Caller, name: String) {
        *self.lock() = Some(Driver {
            number: caller.number,
            name,
        });
    }

    /// Lets go of it. Says whether the caller had it.
    pub(crate) fn release(&self, caller: &Caller) -> bool {
        let mut driver = self.lock();
        driver
            .take_if(|driver| driver.number == caller.number)
            .is_some()
    }

    /// Who has it.
    pub(crate) fn driver(&self) -> Option<Driver> {
        self.lock().clone()
    }

    /// Whether somebody has it, and it is this one.
    pub(crate) fn is_with(&self, caller: &Caller) -> bool {
        self.driver()
            .is_some_and(|driver| driver.number == caller.number)
    }

    /// Whether this one may type.
    pub(crate) fn check(&self, caller: &Caller) -> Result<(), Failure> {
        match self.driver() {
            Some(driver) if driver.number != caller.number => Err(Failure::new(
                Code::Driven,
                format!(
                    "{} drives the session: try again once they have let go of it",
                    driver.name
                ),
            )),
            _ => Ok(()),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Driver>> {
        lock(&self.0)
    }
}
