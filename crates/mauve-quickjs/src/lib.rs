//! What the JavaScript host needs of QuickJS beyond the safe interface of rquickjs.
//!
//! - [`InterruptHandler`]: QuickJS calls an interrupt handler regularly while it executes JavaScript.
//!   The handler of rquickjs gets no context, so it cannot see what is executed.
//! - [`set_promise_hook`]: rquickjs sets the promise hook only while no JavaScript runs. A hook slows down
//!   all promises, so the host sets it when a script starts to need it.
//! - [`native_function`]: functions of rquickjs are objects of a class, which have no frame in the stack
//!   of an error and cost more per call.
//! - [`append_bytes`], [`copy_bytes`] and [`fill_bytes`]: rquickjs gives access to the memory of a typed
//!   array only through
//!   unsafe code.
//! - [`check_script`]: rquickjs runs a script that it compiles.
//! - [`corrections()`]: the engine differs from the standard, or from V8, in a few things that programs notice.
//! - [`SharedMemory`]: buffers that engines of several threads have in common.
//! - [`set_wait_host`]: `Atomics.waitAsync`, which the engine lacks.
//! - [`Local`]: access to values without the checks and copies of rquickjs, for code that visits many.

mod bytes;
mod corrections;
mod deferred;
mod function;
mod interrupt;
mod local;
mod promise;
mod script;
mod shared;
mod wait;

pub use bytes::{append_bytes, copy_bytes, fill_bytes};
pub use corrections::{corrections, throw_place};
pub use deferred::DeferredCall;
pub use function::{NativeCall, NativeFunction, native_function};
pub use interrupt::{InterruptHandler, throw_uncatchable};
pub use local::{Kind, Local, LocalAtom, LocalKeys, SavedAtom, Thrown};
pub use promise::{PromiseHook, set_promise_hook};
pub use script::check_script;
pub use shared::{SharedMemory, enable_shared_memory};
pub use wait::{BlockedWaits, Wait, WaitHost, Waker, set_wait_host};
