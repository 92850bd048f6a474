//! Information about the host, the users and this process, as libuv has it. What the standard library
//! has, such as the working directory and the number of cores, is there.
//!
//! ```
//! use mauve::os;
//!
//! let load = os::load_average();
//! println!("{:?}: {} CPUs, load {}", os::hostname()?, os::cpus()?.len(), load[0]);
//! assert!(os::free_memory() <= os::total_memory());
//! # Ok::<(), mauve::Errno>(())
//! ```

#[doc(inline)]
pub use mauve_sys::os::{
    cpu::{CpuInfo, CpuTimes, list as cpus},
    machine::{Uname as SystemNames, hostname, load_average, uname as system_names, uptime},
    memory::{
        MemoryLimit, available as available_memory, constrained as memory_limit,
        free as free_memory, resident as resident_memory, total as total_memory,
    },
    paths::home_dir,
    process::{ResourceUsage, UsageScope, resource_usage},
    random::fill as fill_random,
    users::{Group, User, current_user, group, user},
};

use mauve_sys::os::process;
use mauve_sys::{Errno, Result};

/// The scheduling priority of a process, from -20, the highest, to 19. `None` is this process.
#[doc(alias = "uv_os_getpriority")]
pub fn priority(process: Option<u32>) -> Result<i32> {
    process::priority(number(process)?)
}

/// Sets the scheduling priority of a process. `None` is this process.
///
/// # Errors
/// `EACCES` if a higher priority needs a privilege, `EINVAL` if the number is out of range.
#[doc(alias = "uv_os_setpriority")]
pub fn set_priority(process: Option<u32>, priority: i32) -> Result<()> {
    process::set_priority(number(process)?, priority)
}

/// Zero is this process.
fn number(process: Option<u32>) -> Result<i32> {
    process.map_or(Ok(0), |id| i32::try_from(id).ok().filter(|id| *id > 0).ok_or(Errno::ESRCH))
}
