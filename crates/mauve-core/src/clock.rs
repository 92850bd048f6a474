//! The loop's cached time.

/// The time as of the last [`Engine::update_time`](crate::Engine::update_time).
#[derive(Default)]
pub(crate) struct Clock {
    /// Nanoseconds.
    pub nanos: u64,
    /// Milliseconds.
    pub now: u64,
    /// The number of the callback after which the driver's clock was last read.
    pub read_after: u32,
}
