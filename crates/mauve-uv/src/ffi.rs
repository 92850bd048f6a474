//! Pointers from C, and the abort on misuse.
//!
//! Every exported function takes its pointers as [`Ptr`], so all dereferencing is here.
//!
//! A handle that is used without having been initialised, or after its close callback, is reported:
//! one line on stderr names the call, the type and address of the handle, and the mistake. Then the
//! process aborts. The seal of a handle shows whether it was initialised, without following any
//! pointer in it.

use std::convert::Infallible;
use std::ffi::c_int;
use std::io::Write as _;

use mauve_core::probe::LoopProbe;
use mauve_core::{Engine, HandleId, Token};
use mauve_sys::driver::Platform;
use mauve_sys::fs::cancellable::with_cancellation_disabled;
use mauve_sys::{Errno, Result};

use crate::abi::*;
use crate::check;
use crate::state::LoopState;

/// A pointer that a C caller passed.
///
/// The caller of an exported function guarantees, as for libuv, that the pointer is null or points
/// to a `T` that stays valid until the library no longer uses it. It also guarantees that no other
/// thread uses it meanwhile, unless the function is documented as thread-safe.
#[repr(transparent)]
pub struct Ptr<T>(*mut T);

impl<T> Clone for Ptr<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Ptr<T> {}

impl<T> Ptr<T> {
    /// Wraps a pointer that C passed earlier.
    ///
    /// # Safety
    /// The guarantees of [`Ptr`] must still hold.
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
        // SAFETY: not null, and valid by the guarantees of `Ptr`. The borrow ends here.
        access(unsafe { &mut *self.0 })
    }

    /// Writes a result through an output pointer, without reading the old value.
    pub(crate) fn write(self, value: T) {
        if self.0.is_null() {
            null_pointer();
        }
        // SAFETY: not null, and valid by the guarantees of `Ptr`.
        unsafe { self.0.write(value) }
    }
}

/// A struct that starts with the fields of `uv_handle_t`.
///
/// # Safety
/// It must be declared by `handle!`, which implements this.
pub unsafe trait Handle: Sized {
    /// Whether functions of this type of handle make system calls, which may be cancellation points.
    const MAKES_SYSTEM_CALLS: bool = true;
}

/// Bits of `uv_handle_t.flags`. They stay valid after the engine has removed the handle.
pub(crate) mod flag {
    pub const CLOSING: u32 = 1;
    pub const CLOSED: u32 = 2;
    /// Of a closed handle that `uv_ref` was called with. The engine knows which open ones are referenced.
    pub const REFERENCED: u32 = 8;
    /// Some programs read these instead of calling `uv_is_readable`.
    pub const READABLE: u32 = 0x4000;
    pub const WRITABLE: u32 = 0x8000;
    pub const BLOCKING: u32 = 0x10_0000;
    /// A UDP handle that receives with `recvmmsg`.
    pub const RECVMMSG: u32 = 0x0800_0000;
}

const SEAL: u64 = 0x6d61_7576_6521_75b7;

/// Sealed instead of an id when the handle is closed. No id has this value.
const CLOSED: u64 = 0;

/// Sealed instead of an id when the handle could not be opened, but can be used. No id has this value.
const FAILED: u64 = u64::MAX;

pub(crate) fn seal(id: u64, address: u64) -> u64 {
    id.rotate_left(17) ^ address ^ SEAL
}

impl<T: Handle> Ptr<T> {
    pub(crate) fn base(self) -> Ptr<uv_handle_t> {
        Ptr(self.0.cast())
    }

    /// Opens a handle of the loop in this struct. `data` belongs to the program and is not written.
    #[inline(always)]
    pub(crate) fn open(
        self,
        kind: uv_handle_type,
        loop_: Ptr<uv_loop_t>,
        call: &str,
        open: impl FnOnce(&mut Engine<Platform>, Token) -> HandleId,
    ) {
        let Ok(()) = self
            .try_open(kind, loop_, call, |engine, token| Ok::<_, Infallible>(open(engine, token)));
    }

    /// As [`open`](Self::open), for a handle that cannot always be opened.
    #[inline(always)]
    pub(crate) fn try_open<E>(
        self,
        kind: uv_handle_type,
        loop_: Ptr<uv_loop_t>,
        call: &str,
        open: impl FnOnce(&mut Engine<Platform>, Token) -> Result<HandleId, E>,
    ) -> Result<(), E> {
        loop_.check(call);
        let opened = loop_.checked_state(call, T::MAKES_SYSTEM_CALLS, |state| {
            let id = open(&mut state.engine, self.token())?;
            Ok((id, state.engine.may_have_overwritten()))
        });
        let (id, may_have_overwritten) = opened?;
        if may_have_overwritten {
            loop_.engine(call, Engine::abandon_overwritten);
        }
        let address = self.address();
        self.base().with(|handle| {
            handle.r#loop = loop_.raw();
            handle.r#type = kind;
            handle.close_cb = None;
            handle.id = id.to_bits();
            handle.seal = seal(handle.id, address);
            handle.flags = 0;
        });
        if check::is_enabled() {
            check::handles::on_init(self.base(), kind, loop_.address(), id);
        }
        Ok(())
    }

    /// Whether the handle was initialised and its close callback has not run.
    pub(crate) fn is_open(self) -> bool {
        let (id, sealed) = self.base().with(|handle| (handle.id, handle.seal));
        HandleId::from_bits(id).is_some() && sealed == seal(id, self.address())
    }

    /// Whether the close callback has run, or is about to. Also for a struct of zeros: programs clean up
    /// handles that they never initialised, and libuv takes them for closed ones.
    pub(crate) fn is_closed(self) -> bool {
        self.base().with(|handle| handle.seal) == seal(CLOSED, self.address()) || self.is_zeroed()
    }

    /// Whether the handle was never initialised, and its memory was cleared.
    pub(crate) fn is_zeroed(self) -> bool {
        self.base().with(|handle| {
            handle.seal == 0 && handle.id == 0 && handle.r#loop.is_null() && handle.r#type == 0
        })
    }

    /// The id of the handle and its loop. Aborts if the handle is not open.
    #[inline(always)]
    pub(crate) fn identify(self, call: &str) -> (HandleId, Ptr<uv_loop_t>) {
        match self.identify_open(call) {
            Some(identity) => identity,
            None => self.abort_not_open(call),
        }
    }

    /// The id of the handle and its loop. `None` if the handle is not open.
    #[inline(always)]
    fn identify_open(self, call: &str) -> Option<(HandleId, Ptr<uv_loop_t>)> {
        if !self.is_null() {
            let (id, sealed, loop_) =
                self.base().with(|handle| (handle.id, handle.seal, handle.r#loop));
            if let Some(known) = HandleId::from_bits(id)
                && sealed == seal(id, self.address())
            {
                if check::is_enabled() {
                    check::handles::on_use(self.base(), Ptr(loop_), call);
                }
                return Some((known, Ptr(loop_)));
            }
            return self.open_failed(call);
        }
        None
    }

    /// Initialises the struct of a TCP handle whose socket could not be created. libuv does not list such a handle,
    /// and the loop can be closed while it exists, but it can be used and closed.
    #[cold]
    pub(crate) fn seal_failed(self, kind: uv_handle_type, loop_: Ptr<uv_loop_t>) {
        let address = self.address();
        self.base().with(|handle| {
            handle.r#loop = loop_.raw();
            handle.r#type = kind;
            handle.close_cb = None;
            handle.id = 0;
            handle.seal = seal(FAILED, address);
            handle.flags = flag::REFERENCED;
        });
    }

    /// Opens a handle of [`seal_failed`](Self::seal_failed) at its first use.
    #[cold]
    #[inline(never)]
    fn open_failed(self, call: &str) -> Option<(HandleId, Ptr<uv_loop_t>)> {
        let (address, token) = (self.address(), self.token());
        let (sealed, loop_) = self.base().with(|handle| (handle.seal, Ptr(handle.r#loop)));
        if sealed != seal(FAILED, address) || loop_.was_closed() {
            return None;
        }
        let id = loop_.engine(call, |engine| {
            let id = engine.open_tcp(token);
            engine.hide(id);
            id
        });
        self.base().with(|handle| {
            handle.id = id.to_bits();
            handle.seal = seal(handle.id, address);
            handle.flags = 0;
        });
        Some((id, loop_))
    }

    /// Whether the handle is closed, and the call is to be tolerated if another argument is wrong: libuv
    /// checks that one first.
    #[cold]
    pub(crate) fn is_tolerated(self) -> bool {
        !self.is_null() && self.is_closed() && !check::is_enabled()
    }

    /// Aborts with a message for a pointer that is not an open handle.
    #[cold]
    fn abort_not_open(self, call: &str) -> ! {
        if self.is_null() {
            abort_misuse(call, format_args!("the handle is a null pointer"));
        }
        if self.is_closed() && !self.is_zeroed() {
            self.abort_misuse(call, "is closed");
        }
        if check::is_enabled() {
            check::handles::abort_unsealed(self.base(), call);
        }
        let address = self.address();
        abort_misuse(call, format_args!("the handle at {address:#x} was never initialised"))
    }

    /// Marks a handle that the engine has removed.
    pub(crate) fn seal_closed(self) {
        let address = self.address();
        self.base().with(|handle| {
            handle.seal = seal(CLOSED, address);
            handle.flags |= flag::CLOSED;
        });
    }

    /// Calls `action` with the id and the engine of the handle. Aborts if it returns `None`.
    #[inline(always)]
    pub(crate) fn with_engine<R>(
        self,
        call: &str,
        action: impl FnOnce(HandleId, &mut Engine<Platform>) -> Option<R>,
    ) -> R {
        let (id, loop_) = self.identify(call);
        self.act(id, loop_, call, action)
    }

    #[inline(always)]
    fn act<R>(
        self,
        id: HandleId,
        loop_: Ptr<uv_loop_t>,
        call: &str,
        action: impl FnOnce(HandleId, &mut Engine<Platform>) -> Option<R>,
    ) -> R {
        let action = |state: &mut LoopState| action(id, &mut state.engine);
        match loop_.checked_state(call, T::MAKES_SYSTEM_CALLS, action) {
            Some(result) => result,
            None => self.abort_misuse(call, "is closed, or not of the type for this call"),
        }
    }

    /// Like [`with_engine`](Self::with_engine), with the result for a struct of zeros.
    #[inline(always)]
    pub(crate) fn with_engine_unless_zeroed<R>(
        self,
        call: &str,
        zeroed: R,
        action: impl FnOnce(HandleId, &mut Engine<Platform>) -> Option<R>,
    ) -> R {
        match self.identify_open(call) {
            Some((id, loop_)) => self.act(id, loop_, call, action),
            None if self.is_tolerated() && self.is_zeroed() => zeroed,
            None => self.abort_not_open(call),
        }
    }

    /// Like [`with_engine`](Self::with_engine), for calls that are harmless on a closed handle:
    /// they return `closed`. libuv tolerates them, and programs that clean up twice rely on it.
    #[inline]
    pub(crate) fn with_engine_or<R>(
        self,
        call: &str,
        closed: R,
        action: impl FnOnce(HandleId, &mut Engine<Platform>) -> Option<R>,
    ) -> R {
        match self.identify_open(call) {
            Some((id, loop_)) => self.act(id, loop_, call, action),
            None if self.is_tolerated() => closed,
            None => self.abort_not_open(call),
        }
    }

    /// Aborts with a message that names the handle.
    #[cold]
    pub(crate) fn abort_misuse(self, call: &str, what: &str) -> ! {
        let address = self.address();
        if check::is_enabled()
            && let Some((name, lines)) = check::handles::describe(address)
        {
            abort_misuse_with_backtrace(call, format_args!("{name} {what}"), &lines);
        }
        let name = handle_type_name(self.base().with(|handle| handle.r#type));
        abort_misuse(call, format_args!("the {name} handle at {address:#x} {what}"))
    }
}

impl Ptr<uv_loop_t> {
    /// Calls `action` with the state of the loop. No callback of the program may run in it.
    #[inline(always)]
    pub(crate) fn state<R>(self, call: &str, action: impl FnOnce(&mut LoopState) -> R) -> R {
        self.check(call);
        self.checked_state(call, true, action)
    }

    #[inline(always)]
    fn check(self, call: &str) {
        if self.is_null() {
            abort_misuse(call, format_args!("the loop is a null pointer"));
        }
        if check::is_enabled() {
            check::loops::on_use(self, call);
        }
    }

    /// [`state`](Self::state) without the checks of `MAUVE_CHECK`. If the action makes system calls, the
    /// thread cannot be cancelled meanwhile: the engine has destructors to run.
    #[inline(always)]
    pub(crate) fn checked_state<R>(
        self,
        call: &str,
        makes_system_calls: bool,
        action: impl FnOnce(&mut LoopState) -> R,
    ) -> R {
        let (state, probe) = self.with(|loop_| (loop_.state, loop_.probe));
        if state.is_null() {
            self.abort_closed(call);
        }
        // SAFETY: `uv_loop_init` stored a valid pointer, and probes are never freed.
        let probe = unsafe { &*probe };
        probe.enter();
        // SAFETY: the box that `uv_loop_init` stored. The loop is not closed, since the pointer is
        // not null, and no action calls back, so that no other borrow exists. The thread that runs the
        // loop has none either: the gate of the probe excludes it.
        let state = unsafe { &mut *state };
        let result = if makes_system_calls {
            with_cancellation_disabled(|| action(state))
        } else {
            action(state)
        };
        probe.leave(&mut state.engine);
        result
    }

    /// [`state`](Self::state) for a thread that begins to run the loop, without system calls. It has entered
    /// the gate when this returns.
    #[inline(always)]
    pub(crate) fn enter_run(
        self,
        call: &str,
        begin: impl FnOnce(&mut LoopState),
    ) -> (&'static LoopProbe, *mut LoopState) {
        self.check(call);
        let (state, probe) = self.with(|loop_| (loop_.state, loop_.probe));
        if state.is_null() {
            self.abort_closed(call);
        }
        // SAFETY: `uv_loop_init` stored a valid pointer, and probes are never freed.
        let probe = unsafe { &*probe };
        probe.enter();
        // SAFETY: as in `checked_state`. The borrow ends with this statement.
        begin(unsafe { &mut *state });
        // SAFETY: as above.
        probe.stay(unsafe { &mut (*state).engine });
        (probe, state)
    }

    /// The state of the loop, for the thread that runs it.
    ///
    /// # Safety
    /// The caller has [entered](LoopProbe::enter_here) the gate. The borrow must end before it leaves the
    /// gate, which it does before each callback and each wait, and before the state is borrowed again.
    #[inline(always)]
    pub(crate) unsafe fn state_mut<'a>(self, call: &str) -> &'a mut LoopState {
        let state = self.with(|loop_| loop_.state);
        // SAFETY: null, or the box that `uv_loop_init` stored and `uv_loop_close` has not freed.
        // The gate excludes other threads, and the caller guarantees that no other borrow exists.
        match unsafe { state.as_mut() } {
            Some(state) => state,
            None => self.abort_closed(call),
        }
    }

    #[cold]
    fn abort_closed(self, call: &str) -> ! {
        abort_misuse(call, format_args!("the loop at {:#x} is closed", self.address()))
    }

    /// Returns the backend descriptor while another thread runs the loop.
    pub(crate) fn embed_from_other_thread(self) -> c_int {
        let (state, descriptor) = self.with(|loop_| (loop_.state, loop_.backend_fd));
        if state.is_null() {
            return -1;
        }
        // SAFETY: the box that `uv_loop_init` stored. The field is not written while the box
        // exists, and wakers of the C ABI are never freed and are thread-safe.
        unsafe { (*(*state).waker()).embed() };
        descriptor
    }

    /// The probe of the loop, which any thread may read; `None` if the loop is closed.
    #[inline(always)]
    pub(crate) fn probe(self) -> Option<&'static LoopProbe> {
        let probe = self.with(|loop_| loop_.probe);
        // SAFETY: null, or the pointer that `uv_loop_init` stored; probes are never freed.
        unsafe { probe.as_ref() }
    }

    /// Writes the seal of an initialised loop.
    pub(crate) fn seal_loop(self) {
        let address = self.address();
        self.with(|loop_| loop_.seal = seal(loop_.probe as usize as u64, address));
    }

    /// Whether the struct has not been overwritten.
    pub(crate) fn is_intact(self) -> bool {
        let address = self.address();
        self.with(|loop_| loop_.seal == seal(loop_.probe as usize as u64, address))
    }

    /// [`engine`](Self::engine) for the thread that runs the loop.
    #[inline(always)]
    pub(crate) fn loop_thread_engine<R>(
        self,
        action: impl FnOnce(&mut Engine<Platform>) -> R,
    ) -> R {
        self.checked_state("uv_run", false, |state| action(&mut state.engine))
    }

    /// Whether the loop was closed. Programs that clean up twice query closed loops, which libuv
    /// tolerates.
    pub(crate) fn was_closed(self) -> bool {
        !self.is_null() && self.with(|loop_| loop_.state.is_null()) && !check::is_enabled()
    }

    /// [`engine`](Self::engine) for an action that reaches no cancellation point. The callers only read and
    /// write the state of the engine.
    #[inline(always)]
    pub(crate) fn quick_engine<R>(
        self,
        call: &str,
        action: impl FnOnce(&mut Engine<Platform>) -> R,
    ) -> R {
        self.check(call);
        self.checked_state(call, false, |state| action(&mut state.engine))
    }

    /// Calls `action` with the engine of the loop.
    #[inline(always)]
    pub(crate) fn engine<R>(
        self,
        call: &str,
        action: impl FnOnce(&mut Engine<Platform>) -> R,
    ) -> R {
        self.state(call, |state| action(&mut state.engine))
    }
}

/// Reports misuse by the program and aborts.
#[cold]
pub(crate) fn abort_misuse(call: &str, what: std::fmt::Arguments<'_>) -> ! {
    abort_misuse_with_backtrace(call, what, "")
}

/// As [`abort_misuse`], with backtraces in `lines`.
#[cold]
pub(crate) fn abort_misuse_with_backtrace(
    call: &str,
    what: std::fmt::Arguments<'_>,
    lines: &str,
) -> ! {
    let here = check::misuse_backtrace().unwrap_or_default();
    // One write, because other threads may write to stderr too.
    let text = format!("mauve: {call}: {what}\n{lines}{here}");
    let _ = std::io::stderr().write_all(text.as_bytes());
    std::process::abort()
}

#[cold]
fn null_pointer() -> ! {
    abort_misuse("a call", format_args!("got a null pointer where libuv allows none"))
}

/// The name that libuv has for a handle type.
pub(crate) fn handle_type_name(kind: uv_handle_type) -> &'static str {
    type_name(UV_HANDLE_TYPES, kind).and_then(|name| name.to_str().ok()).unwrap_or("unknown")
}

/// A result as libuv returns it: zero or a negative error.
pub(crate) fn code(result: Result<()>) -> c_int {
    match result {
        Ok(()) => 0,
        Err(error) => negative(error),
    }
}

/// The negative error code of libuv.
pub(crate) fn negative(error: Errno) -> c_int {
    -error.raw()
}
