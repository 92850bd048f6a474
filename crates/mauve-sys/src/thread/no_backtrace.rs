//! Systems on which the activity of another thread cannot be determined.

/// What a thread does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Activity {
    /// It computes. The return addresses on its stack, the innermost first.
    Computes(Vec<u64>),
    /// It is in a system call.
    SystemCall {
        /// The name of the call.
        name: String,
        /// The return addresses on the stack. Empty if the thread must not be interrupted.
        frames: Vec<u64>,
    },
    /// Not known: the system does not support it.
    Unknown,
}

/// What a thread does at the moment: not known.
pub fn activity_of(_tid: u32) -> Activity {
    Activity::Unknown
}
