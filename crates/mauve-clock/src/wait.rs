//! The functions that wait by a clock.

use std::ffi::{c_int, c_uint};

use libc::{clockid_t, pthread_cond_t, pthread_mutex_t, sem_t, timespec};

use crate::{
    NANOS, advance_to, nanos_of, next, shown_nanos, system_nanos, timespec_of, virtual_now,
    virtual_sleep,
};

/// A duration that sleeping functions accept, in nanoseconds.
///
/// # Safety
/// `time` is null or readable.
unsafe fn duration(time: *const timespec) -> Option<u64> {
    // SAFETY: the caller's contract.
    let time = unsafe { time.as_ref() }?;
    let is_valid = time.tv_sec >= 0 && (0..NANOS).contains(&time.tv_nsec);
    is_valid.then(|| nanos_of(*time).cast_unsigned())
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn nanosleep(time: *const timespec, left: *mut timespec) -> c_int {
    // SAFETY: the caller's contract.
    if unsafe { duration(time) }.is_some_and(virtual_sleep) {
        return 0;
    }
    // SAFETY: the caller's contract.
    unsafe { next::nanosleep(time, left) }
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn clock_nanosleep(
    clock: clockid_t,
    flags: c_int,
    time: *const timespec,
    left: *mut timespec,
) -> c_int {
    // SAFETY: the caller's contract.
    if let (Some(time), Some(now)) = (unsafe { duration(time) }, shown_nanos(clock)) {
        let is_absolute = flags & libc::TIMER_ABSTIME != 0;
        let time = if is_absolute { time.saturating_sub(now.max(0).cast_unsigned()) } else { time };
        if virtual_sleep(time) {
            return 0;
        }
    }
    // SAFETY: the caller's contract.
    unsafe { next::clock_nanosleep(clock, flags, time, left) }
}

#[unsafe(no_mangle)]
extern "C-unwind" fn sleep(seconds: c_uint) -> c_uint {
    if virtual_sleep(u64::from(seconds) * NANOS.cast_unsigned()) {
        return 0;
    }
    // SAFETY: any number will do.
    unsafe { next::sleep(seconds) }
}

#[unsafe(no_mangle)]
extern "C-unwind" fn usleep(micros: libc::useconds_t) -> c_int {
    if virtual_sleep(u64::from(micros) * 1000) {
        return 0;
    }
    // SAFETY: any number will do.
    unsafe { next::usleep(micros) }
}

/// Passes a time to a function, as the clock of the system has it.
///
/// # Safety
/// `until` is null or readable.
unsafe fn with_system_time(
    clock: clockid_t,
    until: *const timespec,
    wait: impl FnOnce(*const timespec) -> c_int,
) -> c_int {
    // SAFETY: the caller's contract.
    let shifted = unsafe { duration(until) }.and_then(|time| {
        let left = time.cast_signed().checked_sub(shown_nanos(clock)?)?;
        Some(timespec_of(system_nanos(clock)?.saturating_add(left).max(0)))
    });
    let begin = virtual_now().zip(system_nanos(libc::CLOCK_MONOTONIC));
    let result = wait(shifted.as_ref().map_or(until, |time| &raw const *time));
    if let Some((shown, system)) = begin
        && has_timed_out(result)
        && let Some(now) = system_nanos(libc::CLOCK_MONOTONIC)
    {
        // Otherwise a program that waits again until the time has come never ends.
        advance_to(shown + (now - system));
        if result == -1 {
            // SAFETY: the calling thread's errno.
            unsafe { *libc::__errno_location() = libc::ETIMEDOUT };
        }
    }
    result
}

/// Whether a wait has ended without what it was for. Semaphores return -1, and the others the error.
fn has_timed_out(result: c_int) -> bool {
    // SAFETY: the calling thread's errno.
    result == libc::ETIMEDOUT
        || result == -1 && unsafe { *libc::__errno_location() } == libc::ETIMEDOUT
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn pthread_cond_timedwait(
    condition: *mut pthread_cond_t,
    mutex: *mut pthread_mutex_t,
    until: *const timespec,
) -> c_int {
    // The monotonic clock and that of the wall are as far from the system's.
    // SAFETY: the caller's contract, as below.
    unsafe {
        with_system_time(libc::CLOCK_MONOTONIC, until, |until| {
            next::pthread_cond_timedwait(condition, mutex, until)
        })
    }
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn pthread_cond_clockwait(
    condition: *mut pthread_cond_t,
    mutex: *mut pthread_mutex_t,
    clock: clockid_t,
    until: *const timespec,
) -> c_int {
    // SAFETY: the caller's contract.
    unsafe {
        with_system_time(clock, until, |until| {
            next::pthread_cond_clockwait(condition, mutex, clock, until)
        })
    }
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn pthread_mutex_timedlock(
    mutex: *mut pthread_mutex_t,
    until: *const timespec,
) -> c_int {
    // SAFETY: the caller's contract.
    unsafe {
        with_system_time(libc::CLOCK_REALTIME, until, |until| {
            next::pthread_mutex_timedlock(mutex, until)
        })
    }
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn sem_timedwait(semaphore: *mut sem_t, until: *const timespec) -> c_int {
    // SAFETY: the caller's contract.
    unsafe {
        with_system_time(libc::CLOCK_REALTIME, until, |until| next::sem_timedwait(semaphore, until))
    }
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn sem_clockwait(
    semaphore: *mut sem_t,
    clock: clockid_t,
    until: *const timespec,
) -> c_int {
    // SAFETY: the caller's contract.
    unsafe { with_system_time(clock, until, |until| next::sem_clockwait(semaphore, clock, until)) }
}
