//! The priority of a thread, within its scheduling policy.

use std::ffi::c_int;

use super::system;
use crate::Result;
use crate::thread::{Priority, check};

/// The nice value of the calling thread under the default policy, where threads have one, else the
/// priority within the policy.
///
/// # Safety
/// The thread exists.
pub(crate) unsafe fn priority(thread: libc::pthread_t, is_current: bool) -> Result<i32> {
    // SAFETY: the caller promises a thread.
    let (policy, parameters) = unsafe { policy(thread) }?;
    if policy == libc::SCHED_OTHER
        && is_current
        && let Some(nice) = system::nice()
    {
        return nice;
    }
    Ok(parameters.sched_priority)
}

/// # Safety
/// The thread exists.
pub(crate) unsafe fn set_priority(
    thread: libc::pthread_t,
    is_current: bool,
    priority: Priority,
) -> Result<()> {
    // SAFETY: the caller promises a thread.
    let (policy, mut parameters) = unsafe { policy(thread) }?;
    let rank = priority as c_int;
    if policy == libc::SCHED_OTHER
        && is_current
        && let Some(result) = system::set_nice(-2 * rank)
    {
        return result;
    }
    // SAFETY: both take and return a number.
    let (lowest, highest) =
        unsafe { (libc::sched_get_priority_min(policy), libc::sched_get_priority_max(policy)) };
    let steps = rank - Priority::Lowest as c_int;
    parameters.sched_priority = lowest + (highest - lowest) * steps / 4;
    // SAFETY: the caller promises a thread, and the parameters are only read.
    check(unsafe { system::pthread_setschedparam(thread, policy, &raw const parameters) })
}

/// # Safety
/// The thread exists.
unsafe fn policy(thread: libc::pthread_t) -> Result<(c_int, libc::sched_param)> {
    let mut policy = 0;
    // SAFETY: all zeros are valid parameters.
    let mut parameters: libc::sched_param = unsafe { std::mem::zeroed() };
    // SAFETY: the caller promises a thread, and both pointers refer to local variables.
    check(unsafe { system::pthread_getschedparam(thread, &raw mut policy, &raw mut parameters) })?;
    Ok((policy, parameters))
}
