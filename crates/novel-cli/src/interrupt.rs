//! Ctrl-C while chapters are written.
//!
//! The first signal asks the run to stop where nothing is lost. The second ends the process at
//! once, from inside the handler: whatever the program is busy with cannot keep it alive. The
//! lock it leaves behind is that of a dead process, which the next writer takes over.

use std::{
    sync::{Arc, atomic::AtomicBool},
    thread::{self, JoinHandle},
};

use novel_app::executor::CancelToken;
use signal_hook::{
    SigId,
    consts::{SIGINT, SIGTERM},
    flag,
    iterator::{Handle, Signals},
    low_level,
};

use crate::error::CliError;

/// What a shell reports for a program that Ctrl-C ended.
const EXIT_INTERRUPTED: i32 = 130;

/// Listens for signals until it is dropped.
pub(crate) struct Interrupts {
    registered: Vec<SigId>,
    handle: Handle,
    listener: Option<JoinHandle<()>>,
}

impl Interrupts {
    /// Turns `cancel` at the first signal, then calls `announce`.
    pub(crate) fn listen(
        cancel: CancelToken,
        announce: impl Fn() + Send + 'static,
    ) -> Result<Self, CliError> {
        let failed = |source| CliError::Signals { source };
        let asked_already = Arc::new(AtomicBool::new(false));
        let mut registered = Vec::new();
        for signal in [SIGINT, SIGTERM] {
            // In this order: the first signal finds the flag down and raises it.
            registered.push(
                flag::register_conditional_shutdown(
                    signal,
                    EXIT_INTERRUPTED,
                    Arc::clone(&asked_already),
                )
                .map_err(failed)?,
            );
            registered.push(flag::register(signal, Arc::clone(&asked_already)).map_err(failed)?);
        }
        let mut signals = Signals::new([SIGINT, SIGTERM]).map_err(failed)?;
        let handle = signals.handle();
        let listener = thread::spawn(move || {
            if signals.forever().next().is_some() {
                cancel.cancel();
                announce();
            }
        });
        Ok(Self {
            registered,
            handle,
            listener: Some(listener),
        })
    }
}

impl Drop for Interrupts {
    fn drop(&mut self) {
        self.handle.close();
        if let Some(listener) = self.listener.take() {
            // It only ends; a panic in it has nothing left to spoil.
            let _ = listener.join();
        }
        for id in self.registered.drain(..) {
            low_level::unregister(id);
        }
    }
}
