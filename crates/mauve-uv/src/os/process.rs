//! Process ids, priorities and resource usage.

use std::ffi::c_int;
use std::time::Duration;

use mauve_sys::Errno;
use mauve_sys::os::process::{self, UsageScope};

use crate::abi::*;
use crate::ffi::{Ptr, code, negative};

#[unsafe(no_mangle)]
pub extern "C" fn uv_os_getpid() -> uv_pid_t {
    std::process::id() as uv_pid_t
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_os_getppid() -> uv_pid_t {
    process::parent_id()
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_os_getpriority(pid: uv_pid_t, priority: Ptr<c_int>) -> c_int {
    if priority.is_null() {
        return negative(Errno::EINVAL);
    }
    code(process::priority(pid).map(|found| priority.write(found)))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_os_setpriority(pid: uv_pid_t, priority: c_int) -> c_int {
    code(process::set_priority(pid, priority))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_getrusage(out: Ptr<uv_rusage_t>) -> c_int {
    usage(UsageScope::Process, out)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_getrusage_thread(out: Ptr<uv_rusage_t>) -> c_int {
    usage(UsageScope::Thread, out)
}

fn usage(scope: UsageScope, out: Ptr<uv_rusage_t>) -> c_int {
    code(process::resource_usage(scope).map(|usage| {
        out.write(uv_rusage_t {
            ru_utime: timeval(usage.user_time),
            ru_stime: timeval(usage.system_time),
            ru_maxrss: usage.max_resident,
            ru_minflt: usage.minor_faults,
            ru_majflt: usage.major_faults,
            ru_inblock: usage.blocks_in,
            ru_oublock: usage.blocks_out,
            ru_nvcsw: usage.voluntary_switches,
            ru_nivcsw: usage.involuntary_switches,
            ..uv_rusage_t::default()
        });
    }))
}

fn timeval(time: Duration) -> uv_timeval_t {
    uv_timeval_t { tv_sec: time.as_secs() as _, tv_usec: time.subsec_micros() as _ }
}
