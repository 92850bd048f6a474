//! Wake-ups from other threads.

#[doc(inline)]
pub use mauve_core::wakeups::AsyncSender;

use mauve_core::Engine;

use super::AnyHandle;
use crate::LoopRef;

/// Wakes the loop from any thread and runs a callback on the loop's thread.
///
/// ```
/// use mauve::{Async, Loop, RunMode};
///
/// let lp: Loop = Loop::new()?;
/// let wakeup = Async::new(&lp, |_, wakeup| wakeup.close());
/// let sender = wakeup.sender();
/// std::thread::spawn(move || sender.send());
/// lp.run(RunMode::Default)?;
/// # Ok::<(), mauve::Errno>(())
/// ```
#[doc(alias = "uv_async_t")]
pub struct Async<S = ()>(AnyHandle<S>);

handle_type!(Async);

impl<S: 'static> Async<S> {
    /// Creates a handle. It is active until it is closed.
    #[doc(alias = "uv_async_init")]
    #[track_caller]
    pub fn new(lp: &LoopRef<S>, mut callback: impl FnMut(&mut S, &Async<S>) + 'static) -> Self {
        let handle = AnyHandle::open(lp, Engine::open_async);
        handle.on_event(move |state, this: &Self, _| {
            callback(state, this);
        });
        Self(handle)
    }

    /// A sender that other threads can use to wake the loop. Several sends before the callback runs
    /// are merged into one. A sender may outlive the handle; sending then fails.
    #[doc(alias = "uv_async_send")]
    pub fn sender(&self) -> AsyncSender {
        self.lp.core.engine(|engine| engine.sender(self.id))
    }
}
