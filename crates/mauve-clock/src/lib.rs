//! Shows programs the virtual time of `mauve sim`. Loaded with `LD_PRELOAD`; that command does so.
//!
//! The functions of the C library that read a clock, or wait by one, are replaced. They call the C
//! library's until [`mauve_clock_use`] was called, which the loop of a simulated process does. Then:
//!
//! * [`read`]: clocks are read as many nanoseconds apart from the virtual one as they were at that call.
//! * [`wait`]: sleeps are those of the virtual clock. What waits for something else until a time waits as long
//!   as it would, by the clock of the system. That much time has then passed.
//!
//! The clocks of CPU time stay the system's.
//!
//! An object of its own, so that no program is affected that is not simulated.

#![cfg(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64"))]
// Module docs link to private modules, for maintainers.
#![allow(rustdoc::private_intra_doc_links)]

mod next;
mod read;
mod wait;

use std::ffi::c_int;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering};

use libc::{clockid_t, timespec};

const NANOS: i64 = 1_000_000_000;

/// The time that the program is shown. `mauve-sys` has the same type.
#[repr(C)]
pub struct ShownTime {
    now: extern "C" fn() -> u64,
    sleep: extern "C" fn(u64),
    advance: extern "C" fn(u64),
}

/// Clocks with a lower number are shifted.
const CLOCKS: usize = 12;

/// The functions, once they are there.
static NOW: AtomicUsize = AtomicUsize::new(0);
static SLEEP: AtomicUsize = AtomicUsize::new(0);
static ADVANCE: AtomicUsize = AtomicUsize::new(0);
static IS_USED: AtomicBool = AtomicBool::new(false);

/// What a clock shows, less what the monotonic one does, in nanoseconds.
static AHEAD: [AtomicI64; CLOCKS] = [const { AtomicI64::new(0) }; CLOCKS];

/// Shows the program this time from now on.
///
/// # Safety
/// `time` points to functions that stay loaded, and that any thread may call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mauve_clock_use(time: *const ShownTime) {
    let monotonic = system_nanos(libc::CLOCK_MONOTONIC).unwrap_or(0);
    for (clock, ahead) in (0..).zip(&AHEAD) {
        let shown = system_nanos(clock).filter(|_| !is_cpu_time(clock));
        ahead.store(shown.map_or(i64::MIN, |shown| shown - monotonic), Ordering::Relaxed);
    }
    // SAFETY: the caller promises a value.
    let ShownTime { now, sleep, advance } = unsafe { time.read() };
    NOW.store(now as usize, Ordering::Relaxed);
    SLEEP.store(sleep as usize, Ordering::Relaxed);
    ADVANCE.store(advance as usize, Ordering::Relaxed);
    IS_USED.store(true, Ordering::Release);
}

fn is_cpu_time(clock: clockid_t) -> bool {
    matches!(clock, libc::CLOCK_PROCESS_CPUTIME_ID | libc::CLOCK_THREAD_CPUTIME_ID)
}

/// The virtual time in nanoseconds. `None` if the system's is shown.
fn virtual_now() -> Option<i64> {
    if !IS_USED.load(Ordering::Acquire) {
        return None;
    }
    let now = NOW.load(Ordering::Relaxed);
    // SAFETY: a function of this type, as it was stored.
    let now = unsafe { std::mem::transmute::<usize, extern "C" fn() -> u64>(now) };
    Some(now().cast_signed())
}

/// What a clock shows in nanoseconds. `None` for those that are not replaced.
fn shown_nanos(clock: clockid_t) -> Option<i64> {
    let now = virtual_now()?;
    let ahead = AHEAD.get(usize::try_from(clock).ok()?)?.load(Ordering::Relaxed);
    (ahead != i64::MIN).then(|| now + ahead)
}

/// Sleeps for this number of nanoseconds of the virtual clock. Returns false if the system's is shown.
fn virtual_sleep(nanos: u64) -> bool {
    if !IS_USED.load(Ordering::Acquire) {
        return false;
    }
    let sleep = SLEEP.load(Ordering::Relaxed);
    // SAFETY: a function of this type, as it was stored.
    let sleep = unsafe { std::mem::transmute::<usize, extern "C" fn(u64)>(sleep) };
    sleep(nanos);
    true
}

/// Lets the virtual time pass until this one, unless it has passed already.
fn advance_to(nanos: i64) {
    let advance = ADVANCE.load(Ordering::Relaxed);
    if advance != 0 {
        // SAFETY: a function of this type, as it was stored.
        let advance = unsafe { std::mem::transmute::<usize, extern "C" fn(u64)>(advance) };
        advance(nanos.max(0).cast_unsigned());
    }
}

/// What a clock of the system shows in nanoseconds.
fn system_nanos(clock: clockid_t) -> Option<i64> {
    let mut time = timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is writable.
    let result: c_int = unsafe { next::clock_gettime(clock, &raw mut time) };
    (result == 0).then(|| nanos_of(time))
}

fn nanos_of(time: timespec) -> i64 {
    time.tv_sec.saturating_mul(NANOS).saturating_add(time.tv_nsec)
}

fn timespec_of(nanos: i64) -> timespec {
    timespec { tv_sec: nanos.div_euclid(NANOS), tv_nsec: nanos.rem_euclid(NANOS) }
}
