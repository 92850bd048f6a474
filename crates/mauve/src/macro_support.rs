//! What the code of `#[mauve::main]` and `#[mauve::test]` calls. Not part of the API.

use std::future::Future;

use crate::Loop;

/// Runs `future` on a new loop.
///
/// # Panics
/// Panics if no loop can be created, or if the future panics.
#[track_caller]
pub fn block_on<F: Future>(future: F) -> F::Output {
    match Loop::<()>::new() {
        Ok(lp) => lp.block_on(future),
        Err(error) => panic!("cannot create a loop: {error}"),
    }
}
