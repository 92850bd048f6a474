//! What the other threads do: the system does not report it.

use super::OtherThreads;

pub fn other_threads() -> OtherThreads {
    OtherThreads::Asleep
}
