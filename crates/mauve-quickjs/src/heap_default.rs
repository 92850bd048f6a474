//! The memory of a runtime, from the allocator of the C library.

use rquickjs::{Result, Runtime};

/// Creates a runtime.
///
/// # Errors
/// If there is no memory left.
pub fn new_runtime() -> Result<Runtime> {
    Runtime::new()
}
