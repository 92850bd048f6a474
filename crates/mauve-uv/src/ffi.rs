//! Pointers from C, and what happens when they are wrong.
//!
//! Every exported function takes its pointers as [`Ptr`], so all dereferencing is here.
//!
//! A handle that is used without having been initialised, or after its close callback, is
//! *named*: one line on stderr that says which call, which kind of handle, where and what is
//! wrong; then the process aborts. That a handle was initialised is seen by its seal, without
//! following anything in it.

use std::ffi::c_int;
use std::io::Write as _;

use mauve_core::probe::LoopProbe;
use mauve_core::{Engine, HandleId, Token};
use mauve_sys::driver::Platform;
use mauve_sys::{Errno, Result};

use crate::abi::*;
use crate::check;
use crate::state::LoopState;

/// A pointer that a C caller passed.
///
/// Only C makes these: whoever calls an exported function vouches, as for libuv, that the pointer
/// is null or points to a `T` that stays where it is until the library is done with it, and that
/// no other thread uses it meanwhile (unless the function is documented to be callable from
/// several threads).
#[repr(transparent)]
pub struct Ptr<T>(*mut T);

impl<T> Clone for Ptr<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Ptr<T> {}

impl<T> Ptr<T> {
    /// Takes over a pointer that C gave us earlier.
    ///
    /// # Safety
    /// It must still be what C vouched for.
    pub(crate) unsafe fn new(pointer: *mut T) -> Self {
        Self(pointer)
    }

    pub fn is_null(self) -> bool {
        self.0.is_null()
    }

    pub(crate) fn raw(self) -> *mut T {
        self.0
    }

    pub(crate) fn address(self) -> u64 {
        self.0 as usize as u64
    }

    pub(crate) fn token(self) -> Token {
        Token(self.address())
    }

    /// Accesses the struct. No callback of the user may run in `access`.
    #[inline(always)]
    pub(crate) fn with<R>(self, access: impl FnOnce(&mut T) -> R) -> R {
        if self.0.is_null() {
            null_pointer();
        }
        // SAFETY: not null, and the C caller vouches for the rest. The borrow ends here.
        access(unsafe { &mut *self.0 })
    }

    /// Stores a result through an out-pointer, without reading what was there.
    pub(crate) fn write(self, value: T) {
        if self.0.is_null() {
            null_pointer();
        }
        // SAFETY: not null, and the C caller vouches for the rest.
        unsafe { self.0.write(value) }
    }
}

/// A struct that begins like `uv_handle_t`.
///
/// # Safety
/// It is declared by `handle!`.
pub unsafe trait Handle: Sized {}

// SAFETY: all are declared by `handle!`.
unsafe impl Handle for uv_handle_t {}
// SAFETY: as above.
unsafe impl Handle for uv_timer_t {}
// SAFETY: as above.
unsafe impl Handle for uv_idle_t {}
// SAFETY: as above.
unsafe impl Handle for uv_prepare_t {}
// SAFETY: as above.
unsafe impl Handle for uv_check_t {}
// SAFETY: as above.
unsafe impl Handle for uv_async_t {}
// SAFETY: as above.
unsafe impl Handle for uv_poll_t {}
// SAFETY: as above.
unsafe impl Handle for uv_signal_t {}
// SAFETY: as above.
unsafe impl Handle for uv_process_t {}
// SAFETY: as above.
unsafe impl Handle for uv_fs_event_t {}
// SAFETY: as above.
unsafe impl Handle for uv_fs_poll_t {}
// SAFETY: as above.
unsafe impl Handle for uv_stream_t {}
// SAFETY: as above.
unsafe impl Handle for uv_tcp_t {}
// SAFETY: as above.
unsafe impl Handle for uv_pipe_t {}
// SAFETY: as above.
unsafe impl Handle for uv_tty_t {}
// SAFETY: as above.
unsafe impl Handle for uv_udp_t {}

/// Bits of `uv_handle_t.flags`: what is known of a handle that the engine has forgotten.
pub(crate) mod flag {
    pub const CLOSING: u32 = 1;
    pub const CLOSED: u32 = 2;
    /// Some programs look for these instead of asking.
    pub const READABLE: u32 = 0x4000;
    pub const WRITABLE: u32 = 0x8000;
    pub const BLOCKING: u32 = 0x10_0000;
    /// A datagram socket that takes several datagrams at once.
    pub const RECVMMSG: u32 = 0x0800_0000;
}

const SEAL: u64 = 0x6d61_7576_6521_75b7;

/// Sealed in place of an id when the handle is closed. No id looks like this.
const CLOSED: u64 = 0;

pub(crate) fn seal(id: u64, address: u64) -> u64 {
    id.rotate_left(17) ^ address ^ SEAL
}

impl<T: Handle> Ptr<T> {
    pub(crate) fn base(self) -> Ptr<uv_handle_t> {
        Ptr(self.0.cast())
    }

    /// Makes a handle out of whatever bytes were there. `data` is the user's.
    pub(crate) fn initialise(self, kind: uv_handle_type, of: Ptr<uv_loop_t>, id: HandleId) {
        let address = self.address();
        self.base().with(|handle| {
            handle.r#loop = of.raw();
            handle.r#type = kind;
            handle.close_cb = None;
            handle.id = id.to_bits();
            handle.seal = seal(handle.id, address);
            handle.flags = 0;
        });
        if check::on() {
            check::handles::made(self.base(), kind, of.address(), id);
        }
    }

    /// Whether the handle was initialised and its close callback has not run.
    pub(crate) fn is_open(self) -> bool {
        let (id, sealed) = self.base().with(|handle| (handle.id, handle.seal));
        HandleId::from_bits(id).is_some() && sealed == seal(id, self.address())
    }

    /// Whether the close callback has run, or is about to.
    pub(crate) fn is_closed(self) -> bool {
        self.base().with(|handle| handle.seal) == seal(CLOSED, self.address())
    }

    /// Names the handle for the engine, and its loop. Aborts if there is no such handle.
    #[inline(always)]
    pub(crate) fn identify(self, call: &str) -> (HandleId, Ptr<uv_loop_t>) {
        if !self.is_null() {
            let (id, sealed, of) =
                self.base().with(|handle| (handle.id, handle.seal, handle.r#loop));
            if let Some(known) = HandleId::from_bits(id)
                && sealed == seal(id, self.address())
            {
                if check::on() {
                    check::handles::used(self.base(), Ptr(of), call);
                }
                return (known, Ptr(of));
            }
        }
        self.refuse(call)
    }

    /// Aborts, for what is no open handle.
    #[cold]
    fn refuse(self, call: &str) -> ! {
        if self.is_null() {
            misuse(call, format_args!("the handle is a null pointer"));
        }
        if self.is_closed() {
            self.misused(call, "is closed");
        }
        if check::on() {
            check::handles::unsealed(self.base(), call);
        }
        let address = self.address();
        misuse(call, format_args!("the handle at {address:#x} was never initialised"))
    }

    /// Marks a handle of which the engine knows nothing any more.
    pub(crate) fn seal_closed(self) {
        let address = self.address();
        self.base().with(|handle| {
            handle.seal = seal(CLOSED, address);
            handle.flags |= flag::CLOSED;
        });
    }

    /// Does something with the handle's id and its engine.
    #[inline(always)]
    pub(crate) fn engage<R>(
        self,
        call: &str,
        action: impl FnOnce(HandleId, &mut Engine<Platform>) -> Option<R>,
    ) -> R {
        let (id, of) = self.identify(call);
        match of.checked_state(call, |state| action(id, &mut state.engine)) {
            Some(result) => result,
            None => self.misused(call, "is closed, or not of the kind that this call is for"),
        }
    }

    /// Like [`engage`](Self::engage), for calls that do no harm to a handle that is closed, because
    /// there is nothing left to stop or to tell. libuv answers them, and programs that tidy up
    /// twice rely on it; here they get `closed`.
    #[inline]
    pub(crate) fn engage_or<R>(
        self,
        call: &str,
        closed: R,
        action: impl FnOnce(HandleId, &mut Engine<Platform>) -> Option<R>,
    ) -> R {
        if !self.is_null() && self.is_closed() && !check::on() {
            return closed;
        }
        self.engage(call, action)
    }

    /// Aborts, naming the handle.
    #[cold]
    pub(crate) fn misused(self, call: &str, what: &str) -> ! {
        let address = self.address();
        if check::on()
            && let Some((name, lines)) = check::handles::introduction(address)
        {
            misuse_traced(call, format_args!("{name} {what}"), &lines);
        }
        let name = kind_name(self.base().with(|handle| handle.r#type));
        misuse(call, format_args!("the {name} handle at {address:#x} {what}"))
    }
}

impl Ptr<uv_loop_t> {
    /// Does something with the loop's state. No callback of the user may run in `action`.
    #[inline(always)]
    pub(crate) fn state<R>(self, call: &str, action: impl FnOnce(&mut LoopState) -> R) -> R {
        if self.is_null() {
            misuse(call, format_args!("the loop is a null pointer"));
        }
        if check::on() {
            check::loops::used(self, call);
        }
        self.checked_state(call, action)
    }

    /// [`state`](Self::state) of a loop that is looked at already, as far as that was wanted.
    #[inline(always)]
    fn checked_state<R>(self, call: &str, action: impl FnOnce(&mut LoopState) -> R) -> R {
        let (state, probe) = self.with(|of| (of.state, of.probe));
        if state.is_null() {
            self.refuse_closed(call);
        }
        // SAFETY: both were put there by `uv_loop_init`; probes are never freed.
        let probe = unsafe { &*probe };
        if probe.is_asleep() {
            check::threads::disturbed(self, probe, call);
        }
        // SAFETY: as in `own_state`.
        action(unsafe { &mut *state })
    }

    /// [`state`](Self::state) for the thread that runs the loop.
    #[inline(always)]
    pub(crate) fn own_state<R>(self, call: &str, action: impl FnOnce(&mut LoopState) -> R) -> R {
        // SAFETY: it is given back when the action returns, and nothing in an action calls back.
        action(unsafe { self.lend_state(call) })
    }

    /// [`own_state`](Self::own_state) without a closure, for hot paths where the compiler must
    /// not make a function of it.
    ///
    /// # Safety
    /// The borrow must have ended when a callback is run, or the state is asked for again.
    #[inline(always)]
    pub(crate) unsafe fn lend_state<'a>(self, call: &str) -> &'a mut LoopState {
        let state = self.with(|of| of.state);
        // SAFETY: null, or the box that `uv_loop_init` made and `uv_loop_close` has not taken. It
        // belongs to this thread, and by the caller's promise no other borrow is alive.
        match unsafe { state.as_mut() } {
            Some(state) => state,
            None => self.refuse_closed(call),
        }
    }

    #[cold]
    fn refuse_closed(self, call: &str) -> ! {
        misuse(call, format_args!("the loop at {:#x} is closed", self.address()))
    }

    /// Hands out the backend descriptor while another thread runs the loop.
    pub(crate) fn embed_from_elsewhere(self) -> c_int {
        let (state, descriptor) = self.with(|of| (of.state, of.backend_fd));
        if state.is_null() {
            return -1;
        }
        // SAFETY: the box that `uv_loop_init` made. The field is not written to as long as the box
        // exists, and wakers of the C ABI are never freed and may be used from any thread.
        unsafe { (*(*state).waker()).embed() };
        descriptor
    }

    /// What may be known of the loop from any thread; `None` if it is closed.
    #[inline(always)]
    pub(crate) fn probe(self) -> Option<&'static LoopProbe> {
        let probe = self.with(|of| of.probe);
        // SAFETY: null, or what `uv_loop_init` put there; probes are never freed.
        unsafe { probe.as_ref() }
    }

    /// Declares the struct a loop.
    pub(crate) fn seal_loop(self) {
        let address = self.address();
        self.with(|of| of.seal = seal(of.probe as usize as u64, address));
    }

    /// Whether the struct is still what was made of it.
    pub(crate) fn is_intact(self) -> bool {
        let address = self.address();
        self.with(|of| of.seal == seal(of.probe as usize as u64, address))
    }

    /// [`engine`](Self::engine) for the thread that runs the loop.
    #[inline(always)]
    pub(crate) fn own_engine<R>(self, action: impl FnOnce(&mut Engine<Platform>) -> R) -> R {
        self.own_state("uv_run", |state| action(&mut state.engine))
    }

    /// Whether the loop was closed. Programs that tidy up twice ask closed loops, and libuv answers.
    pub(crate) fn is_over(self) -> bool {
        !self.is_null() && self.with(|of| of.state.is_null()) && !check::on()
    }

    /// Does something with the loop's engine.
    #[inline(always)]
    pub(crate) fn engine<R>(
        self,
        call: &str,
        action: impl FnOnce(&mut Engine<Platform>) -> R,
    ) -> R {
        self.state(call, |state| action(&mut state.engine))
    }
}

/// Reports a mistake of the program and aborts.
#[cold]
pub(crate) fn misuse(call: &str, what: std::fmt::Arguments<'_>) -> ! {
    misuse_traced(call, what, "")
}

/// As [`misuse`], with more lines to say where something comes from.
#[cold]
pub(crate) fn misuse_traced(call: &str, what: std::fmt::Arguments<'_>, lines: &str) -> ! {
    let here = check::trace_of_misuse().unwrap_or_default();
    // In one piece: other threads may be writing, too.
    let text = format!("mauve: {call}: {what}\n{lines}{here}");
    let _ = std::io::stderr().write_all(text.as_bytes());
    std::process::abort()
}

#[cold]
fn null_pointer() -> ! {
    misuse("a call", format_args!("was given a null pointer where libuv allows none"))
}

/// What libuv calls a kind of handle.
pub(crate) fn kind_name(kind: uv_handle_type) -> &'static str {
    let name = UV_HANDLE_NAMES.get(kind as usize).copied().flatten();
    name.and_then(|name| name.to_str().ok()).unwrap_or("unknown")
}

/// An error the way libuv returns it.
pub(crate) fn code(result: Result<()>) -> c_int {
    match result {
        Ok(()) => 0,
        Err(error) => negative(error),
    }
}

/// The negative number that C knows an error by.
pub(crate) fn negative(error: Errno) -> c_int {
    -error.raw()
}
