//! `Atomics.waitAsync`: the waits of this thread. As in Node, they do not keep the loop running, and a wait that was
//! notified settles in the poll phase, or when the loop has nothing else to do.

use std::cell::RefCell;
use std::time::Duration;

use mauve::{Async, Timer};
use mauve_core::wakeups::AsyncSender;
use mauve_quickjs::{Wait, WaitHost, Waker, set_wait_host};
use rquickjs::{Ctx, Function, Persistent, Result, Value};

use crate::host::current;

/// A promise that is not settled.
struct Pending {
    id: u64,
    wait: Wait,
    resolve: Persistent<Function<'static>>,
    /// Its memory exists as long as the wait.
    _array: Persistent<Value<'static>>,
    limit: Option<Duration>,
    timer: Option<Timer>,
}

#[derive(Default)]
struct Waits {
    /// Settles the waits that were notified.
    wakeup: Option<Async>,
    pending: Vec<Pending>,
    last: u64,
}

thread_local! {
    static WAITS: RefCell<Waits> = RefCell::default();
}

/// Provides `Atomics.waitAsync` to the engine of this thread.
pub(crate) fn enable() {
    set_wait_host(WaitHost { waker, start });
}

fn waker() -> Waker {
    let sender = sender();
    Box::new(move || {
        // The loop of a thread that has ended settles nothing.
        let _ = sender.send();
    })
}

fn sender() -> AsyncSender {
    WAITS.with_borrow_mut(|waits| {
        let wakeup = waits.wakeup.get_or_insert_with(|| {
            let wakeup = Async::new(&current().lp, |(), _| settle());
            wakeup.unref();
            wakeup
        });
        wakeup.sender()
    })
}

fn start<'js>(
    ctx: &Ctx<'js>,
    wait: Wait,
    limit: Option<Duration>,
    array: Value<'js>,
) -> Result<Value<'js>> {
    let (promise, resolve, _) = ctx.promise()?;
    let resolve = Persistent::save(ctx, resolve);
    let _array = Persistent::save(ctx, array);
    WAITS.with_borrow_mut(|waits| {
        waits.last += 1;
        let id = waits.last;
        waits.pending.push(Pending { id, wait, resolve, _array, limit, timer: None });
    });
    if limit.is_some() {
        // Its time begins in the poll phase.
        let _ = sender().send();
    }
    Ok(promise.into_value())
}

/// Starts the timers of new waits, and settles those that were notified, in this order. Also called when the loop has
/// nothing else to do.
pub(crate) fn settle() {
    let mut notified = WAITS.with_borrow_mut(|waits| {
        for pending in &mut waits.pending {
            if let (Some(limit), None) = (pending.limit, &pending.timer) {
                let timer = Timer::new(&current().lp);
                let id = pending.id;
                // The timer is new, so it can be started.
                let _ = timer.once(limit, move |(), _| expire(id));
                timer.unref();
                pending.timer = Some(timer);
            }
        }
        let is_notified = |pending: &mut Pending| pending.wait.notified().is_some();
        waits.pending.extract_if(.., is_notified).collect::<Vec<_>>()
    });
    if notified.is_empty() {
        return;
    }
    notified.sort_by_key(|pending| pending.wait.notified());
    resolve(notified, "ok");
}

/// The time of a wait is over. If it was notified, it settles as such.
fn expire(id: u64) {
    let expired = WAITS.with_borrow_mut(|waits| {
        let is_over = |pending: &mut Pending| pending.id == id && pending.wait.cancel();
        waits.pending.extract_if(.., is_over).collect::<Vec<_>>()
    });
    if !expired.is_empty() {
        resolve(expired, "timed-out");
    }
}

fn resolve(pending: Vec<Pending>, outcome: &str) {
    current().enter(|ctx| {
        for one in pending {
            if let Some(timer) = one.timer {
                timer.close();
            }
            one.resolve.restore(ctx)?.call::<_, ()>((outcome,))?;
        }
        Ok(())
    });
}

/// Ends the waits of a thread that ends.
pub(super) fn close_all() {
    drop(WAITS.take());
}
