//! What tools outside of the process use: the root of its loops, and static probes (USDT).
//!
//! `mauve why`, `top` and `trace --pid` find [`ROOT`] in the memory of a process and write to it. Tools such
//! as bpftrace attach to the probes `mauve:callback__begin(kind, token, function)`, `callback__end()`,
//! `iteration(loop, number)`, `job__begin(request)` and `job__end(request)`:
//!
//! ```sh
//! bpftrace -p PID -e 'usdt:libuv.so.1:mauve:callback__begin { @[usym(arg2)] = count(); }'
//! ```
//!
//! A probe is a `nop` and a note in the file that describes it. The kernel counts the tools that are attached
//! in the *semaphore* that the note names. All probes name the upper 16 bits of [`ProbeRoot::trace`], so that
//! the one branch on that number, which every hook of a trace has, is their only cost.

use std::sync::atomic::AtomicU64;

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod stap;
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
use stap as system;

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
mod none;
#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
use none as system;

pub use system::{callback_begin, callback_end, iteration, job_begin, job_end};

/// Marks a [`ProbeRoot`] in the memory of a process.
pub const MAGIC: [u64; 4] =
    [0x6d61_7576_6520_6265, 0x6163_6f6e_f09f_94ae, 0x9e37_79b9_7f4a_7c15, 0xd1b5_4a32_d192_ed03];

/// Version of the layout of [`ProbeRoot`] and of the probes of loops. A reader checks it first.
pub const VERSION: u64 = 5;

/// The bits of [`ProbeRoot::trace`] that count the tools which are attached to static probes.
pub const ATTACHED: u64 = 0xffff << 48;

/// The head of the list of all loops of a process.
#[repr(C)]
pub struct ProbeRoot {
    /// [`MAGIC`].
    pub magic: [u64; 4],
    /// [`VERSION`].
    pub version: u64,
    /// The address of the probe of the first loop, or zero.
    pub first: AtomicU64,
    /// Number of the latest query. Only other processes write it.
    pub query: AtomicU64,
    /// Whether loops are traced. Not zero while anything is on.
    pub trace: AtomicU64,
    /// The directory of the trace, as text that ends with a zero byte.
    pub trace_directory: [AtomicU64; 32],
}

/// The root of this process. Not `used`: the compiler would then address it indirectly.
pub static ROOT: ProbeRoot = ProbeRoot {
    magic: MAGIC,
    version: VERSION,
    first: AtomicU64::new(0),
    query: AtomicU64::new(0),
    trace: AtomicU64::new(0),
    trace_directory: [const { AtomicU64::new(0) }; 32],
};
