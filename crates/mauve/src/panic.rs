//! Panics of tasks and of work on the pool.

use std::any::Any;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use mauve_core::unwind::Payload;

/// The payload of a panic, in the error of what has panicked.
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// use mauve::WorkError;
///
/// let task = mauve::spawn_blocking(|| panic!("out of order"));
/// match task.await {
///     Err(WorkError::Panicked(payload)) => {
///         assert_eq!(payload.into_inner().downcast_ref(), Some(&"out of order"));
///     }
///     _ => unreachable!(),
/// }
/// # Ok(())
/// # }
/// ```
pub struct PanicPayload(
    /// Behind a lock, so that errors are `Sync`.
    Mutex<Payload>,
);

impl PanicPayload {
    pub(crate) fn new(payload: Payload) -> Self {
        Self(Mutex::new(payload))
    }

    /// The payload, for [`resume_unwind`](std::panic::resume_unwind).
    pub fn into_inner(self) -> Box<dyn Any + Send> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// The message of the panic, if the payload is a string.
    pub fn message(&self) -> Option<String> {
        let payload = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
        text.or_else(|| payload.downcast_ref::<String>().cloned())
    }
}

impl fmt::Debug for PanicPayload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.message() {
            Some(message) => message.fmt(f),
            None => f.write_str(".."),
        }
    }
}
