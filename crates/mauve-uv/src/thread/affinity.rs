//! CPU affinity of threads. In C, a set of CPUs is an array with one byte per CPU.

use std::ffi::{c_char, c_int};

use mauve_sys::Errno;
use mauve_sys::thread::{self, CpuSet};

use super::from_c;
use crate::abi::uv_thread_t;
use crate::ffi::{Ptr, code, negative};

#[unsafe(no_mangle)]
pub extern "C" fn uv_cpumask_size() -> c_int {
    CpuSet::CAPACITY as c_int
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_thread_getcpu() -> c_int {
    thread::current_cpu() as c_int
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_thread_getaffinity(
    thread: Ptr<uv_thread_t>,
    mask: Ptr<c_char>,
    size: usize,
) -> c_int {
    if size < CpuSet::CAPACITY {
        return negative(Errno::EINVAL);
    }
    code(from_c(thread.with(|id| *id)).affinity().map(|set| store(&set, mask)))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_thread_setaffinity(
    thread: Ptr<uv_thread_t>,
    mask: Ptr<c_char>,
    old_mask: Ptr<c_char>,
    size: usize,
) -> c_int {
    if size < CpuSet::CAPACITY {
        return negative(Errno::EINVAL);
    }
    let thread = from_c(thread.with(|id| *id));
    // Read before anything is written, because the two masks may overlap.
    let set = load(mask);
    if !old_mask.is_null() {
        match thread.affinity() {
            Ok(old) => store(&old, old_mask),
            Err(error) => return negative(error),
        }
    }
    code(thread.set_affinity(&set))
}

fn load(mask: Ptr<c_char>) -> CpuSet {
    // SAFETY: the caller has checked that the mask has at least this many bytes.
    let bytes = unsafe { std::slice::from_raw_parts(mask.raw(), CpuSet::CAPACITY) };
    (0..CpuSet::CAPACITY).filter(|&cpu| bytes[cpu] != 0).collect()
}

fn store(set: &CpuSet, mask: Ptr<c_char>) {
    for cpu in 0..CpuSet::CAPACITY {
        // SAFETY: the caller has checked that the mask has at least `CAPACITY` bytes.
        unsafe { mask.raw().add(cpu).write(c_char::from(set.contains(cpu))) };
    }
}
