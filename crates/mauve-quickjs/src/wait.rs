//! `Atomics.waitAsync`, whose promises the host settles.

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::ptr::{self, NonNull};
use std::sync::Once;
use std::time::Duration;

use rquickjs::{Ctx, Result, Value, qjs};

/// Wakes the loop of a thread that waits, from any thread. It must not call the engine.
pub type Waker = Box<dyn Fn() + Send + Sync>;

/// What the host of this thread does for `Atomics.waitAsync`.
#[derive(Clone, Copy)]
pub struct WaitHost {
    /// Creates a waker of the thread's loop.
    pub waker: fn() -> Waker,
    /// Stores a wait with its limit of time, and the array, whose memory has to exist as long. Returns the promise.
    pub start: for<'js> fn(&Ctx<'js>, Wait, Option<Duration>, Value<'js>) -> Result<Value<'js>>,
}

/// A wait that has begun. Dropping it ends it.
#[derive(Debug)]
pub struct Wait(NonNull<c_void>);

#[repr(C)]
struct WaitFunctions {
    waker: unsafe extern "C" fn() -> *mut c_void,
    wake: unsafe extern "C" fn(*mut c_void),
    start: unsafe extern "C" fn(
        *mut qjs::JSContext,
        *mut c_void,
        f64,
        qjs::JSValueConst,
    ) -> qjs::JSValue,
}

unsafe extern "C" {
    fn mauve_set_wait_functions(functions: *const WaitFunctions);
    fn mauve_wait_order(waiter: *mut c_void, cancel: c_int) -> i64;
    fn mauve_wait_free(waiter: *mut c_void) -> *mut c_void;
    fn mauve_wait_interrupt(runtime: *const c_void);
}

thread_local! {
    static HOST: Cell<Option<WaitHost>> = const { Cell::new(None) };
}

/// Sets the host of this thread. Without one, `Atomics.waitAsync` throws.
pub fn set_wait_host(host: WaitHost) {
    static FUNCTIONS: Once = Once::new();
    FUNCTIONS.call_once(|| {
        let functions = WaitFunctions { waker, wake, start };
        // SAFETY: the engine copies the functions, which have the types that it calls them with. No thread
        // has a host yet, and those that get one see the copy.
        unsafe { mauve_set_wait_functions(&raw const functions) };
    });
    HOST.set(Some(host));
}

unsafe extern "C" fn waker() -> *mut c_void {
    let Some(host) = HOST.get() else { return ptr::null_mut() };
    Box::into_raw(Box::new((host.waker)())).cast()
}

unsafe extern "C" fn wake(waker: *mut c_void) {
    // SAFETY: `waker` returned the pointer, and the waiter that has it is locked by the engine.
    unsafe { (*waker.cast::<Waker>())() };
}

unsafe extern "C" fn start(
    ctx: *mut qjs::JSContext,
    waiter: *mut c_void,
    timeout: f64,
    array: qjs::JSValueConst,
) -> qjs::JSValue {
    // SAFETY: the engine passes its context, a new waiter which only the result owns, and a value that exists.
    unsafe {
        let ctx = Ctx::from_raw(NonNull::new_unchecked(ctx));
        let wait = Wait(NonNull::new_unchecked(waiter));
        let array = Value::from_raw(ctx.clone(), qjs::JS_DupValue(ctx.as_raw().as_ptr(), array));
        let limit = Duration::try_from_secs_f64(timeout / 1000.0).ok();
        let host = HOST.get().expect("`waker` found it");
        match (host.start)(&ctx, wait, limit, array) {
            Ok(promise) => qjs::JS_DupValue(ctx.as_raw().as_ptr(), promise.as_raw()),
            Err(_) => qjs::JS_EXCEPTION,
        }
    }
}

/// The calls of `Atomics.wait` that block the thread of an engine, to be ended from another thread.
#[derive(Clone, Copy, Debug)]
pub struct BlockedWaits {
    /// The address of the runtime. Only compared, because it may be freed.
    runtime: usize,
}

impl BlockedWaits {
    /// Those of an engine.
    #[must_use]
    pub fn of(ctx: &Ctx<'_>) -> Self {
        // SAFETY: the context exists.
        Self { runtime: unsafe { qjs::JS_GetRuntime(ctx.as_raw().as_ptr()) } as usize }
    }

    /// Ends those that block now: they throw an error that no script can catch. Those that begin later ask the
    /// interrupt handler first.
    pub fn interrupt(self) {
        // SAFETY: the engine only compares the address.
        unsafe { mauve_wait_interrupt(ptr::without_provenance(self.runtime)) };
    }
}

impl Wait {
    /// The position among all waits that were notified, or `None` if it was not notified.
    #[must_use]
    pub fn notified(&self) -> Option<u64> {
        self.order(false)
    }

    /// Ends the wait unless it was notified, so that it will not be. Returns whether it has ended.
    #[must_use]
    pub fn cancel(&self) -> bool {
        self.order(true).is_none()
    }

    fn order(&self, cancel: bool) -> Option<u64> {
        // SAFETY: the waiter exists until this is dropped.
        let order = unsafe { mauve_wait_order(self.0.as_ptr(), c_int::from(cancel)) };
        u64::try_from(order).ok().filter(|order| *order > 0)
    }
}

impl Drop for Wait {
    fn drop(&mut self) {
        // SAFETY: this owns the waiter, and the waiter owns the box that `waker` returned. No other thread reads it
        // after the waiter has left the list, which the engine does with its lock.
        unsafe { drop(Box::from_raw(mauve_wait_free(self.0.as_ptr()).cast::<Waker>())) };
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::sync::atomic::{AtomicU32, Ordering};

    use rquickjs::{Context, Runtime};

    use super::*;

    static WAKES: AtomicU32 = AtomicU32::new(0);
    thread_local!(static WAITS: RefCell<Vec<(Wait, Option<Duration>)>> = RefCell::default());

    #[test]
    fn waits_are_notified_in_order_or_cancelled() {
        set_wait_host(WaitHost {
            waker: || {
                Box::new(|| {
                    WAKES.fetch_add(1, Ordering::Relaxed);
                })
            },
            start: |ctx, wait, limit, _| {
                WAITS.with_borrow_mut(|waits| waits.push((wait, limit)));
                Ok(Value::new_null(ctx.clone()))
            },
        });
        Context::full(&Runtime::new().expect("a runtime")).expect("a context").with(|ctx| {
            crate::enable_shared_memory(&ctx);
            let count = ctx.eval::<i32, _>(
                "const a = new Int32Array(new SharedArrayBuffer(8));
                for (const [index, limit] of [[0], [1], [0, 250], [0]]) Atomics.waitAsync(a, index, 0, limit);
                Atomics.notify(a, 1) + Atomics.notify(a, 0, 2)",
            );
            assert_eq!(count.expect("it runs"), 3);
            let text = "JSON.stringify([Atomics.waitAsync(a, 0, 1), Atomics.waitAsync(a, 0, 0, 0)])";
            assert_eq!(
                ctx.eval::<String, _>(text).expect("it runs"),
                r#"[{"async":false,"value":"not-equal"},{"async":false,"value":"timed-out"}]"#
            );
            let waits = WAITS.take();
            let limits: Vec<_> = waits.iter().map(|(_, limit)| *limit).collect();
            assert_eq!(limits, [None, None, Some(Duration::from_millis(250)), None]);
            let order: Vec<_> = waits.iter().map(|(wait, _)| wait.notified()).collect();
            assert_eq!(order, [Some(2), Some(1), Some(3), None]);
            assert!(!waits[0].0.cancel() && waits[3].0.cancel());
            assert_eq!(ctx.eval::<i32, _>("Atomics.notify(a, 0)").expect("it runs"), 0);
            assert_eq!(WAKES.load(Ordering::Relaxed), 3);
        });
    }
}
