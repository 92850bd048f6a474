//! Wake-ups from other threads.

use mauve_sys::Result;

pub use mauve_core::wakeups::Sender;

use super::{AnyHandle, common_methods};
use crate::Loop;
use crate::core::callback_token;

/// Calls on the loop's thread when any thread has asked for it.
///
/// ```
/// use mauve::{Async, Loop, RunMode};
///
/// let lp: Loop = Loop::new()?;
/// let bell = Async::new(&lp, |_, bell| bell.close());
/// let sender = bell.sender();
/// std::thread::spawn(move || sender.send());
/// lp.run(RunMode::Default)?;
/// # Ok::<(), mauve::Errno>(())
/// ```
#[doc(alias = "uv_async_t")]
pub struct Async<S = ()>(AnyHandle<S>);

common_methods!(Async);

impl<S: 'static> Async<S> {
    /// Makes a handle that is active at once, and until it is closed.
    #[doc(alias = "uv_async_init")]
    pub fn new(lp: &Loop<S>, mut callback: impl FnMut(&mut S, &Async<S>) + 'static) -> Self {
        let open = |key| Ok(lp.core.engine(|engine| engine.open_async(callback_token(key))));
        let handle = AnyHandle::open(lp, open).expect("opening an async handle cannot fail");
        handle.on_event(move |state, handle, _| {
            let this = Self(handle);
            callback(state, &this);
            this.0
        });
        Self(handle)
    }

    /// What other threads send with. It may outlive the handle and the loop: then sending is an
    /// error.
    #[doc(alias = "uv_async_send")]
    pub fn sender(&self) -> Sender {
        self.0.lp.core.engine(|engine| engine.sender(self.0.id))
    }
}
