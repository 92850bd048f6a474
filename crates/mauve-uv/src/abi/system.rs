//! Types of the `uv_os_*` functions and of `uv_spawn`: users, CPUs, interfaces, resources.

use std::ffi::{c_char, c_int, c_long, c_uint, c_ulong, c_void};

use super::callbacks::uv_exit_cb;
use super::{sockaddr_in, sockaddr_in6, uv_gid_t, uv_stream_t, uv_uid_t};

/// The number of a user or group, which has less bits on Windows.
pub(crate) fn id_number(id: impl Into<u32>) -> u32 {
    id.into()
}

/// What `uv_spawn` connects to one descriptor of the child.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct uv_stdio_container_t {
    pub flags: c_int,
    pub data: uv_stdio_data_t,
}

/// The union in `uv_stdio_container_t`, which has no name in C.
#[repr(C)]
#[derive(Clone, Copy)]
pub union uv_stdio_data_t {
    pub stream: *mut uv_stream_t,
    pub fd: c_int,
}

#[repr(C)]
pub struct uv_process_options_t {
    pub exit_cb: uv_exit_cb,
    pub file: *const c_char,
    pub args: *mut *mut c_char,
    pub env: *mut *mut c_char,
    pub cwd: *const c_char,
    pub flags: c_uint,
    pub stdio_count: c_int,
    pub stdio: *mut uv_stdio_container_t,
    pub uid: uv_uid_t,
    pub gid: uv_gid_t,
}

#[repr(C)]
pub struct uv_lib_t {
    pub(crate) handle: *mut c_void,
    pub(crate) errmsg: *mut c_char,
}

#[repr(C)]
pub struct uv_env_item_t {
    pub name: *mut c_char,
    pub value: *mut c_char,
}

#[repr(C)]
pub struct uv_passwd_t {
    pub username: *mut c_char,
    pub uid: c_ulong,
    pub gid: c_ulong,
    pub shell: *mut c_char,
    pub homedir: *mut c_char,
}

#[repr(C)]
pub struct uv_group_t {
    pub groupname: *mut c_char,
    pub gid: c_ulong,
    pub members: *mut *mut c_char,
}

#[repr(C)]
pub struct uv_utsname_t {
    pub sysname: [c_char; 256],
    pub release: [c_char; 256],
    pub version: [c_char; 256],
    pub machine: [c_char; 256],
}

/// `struct uv_cpu_times_s`, which has no other name in C.
#[repr(C)]
pub struct uv_cpu_times_t {
    pub user: u64,
    pub nice: u64,
    pub sys: u64,
    pub idle: u64,
    pub irq: u64,
}

#[repr(C)]
pub struct uv_cpu_info_t {
    pub model: *const c_char,
    pub speed: c_int,
    pub cpu_times: uv_cpu_times_t,
}

/// The unions in `uv_interface_address_t`, which have no name in C.
#[repr(C)]
#[derive(Clone, Copy)]
pub union uv_internet_address_t {
    pub v4: sockaddr_in,
    pub v6: sockaddr_in6,
}

#[repr(C)]
pub struct uv_interface_address_t {
    pub name: *mut c_char,
    pub phys_addr: [c_char; 6],
    pub is_internal: c_int,
    pub address: uv_internet_address_t,
    pub netmask: uv_internet_address_t,
}

#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct uv_timeval_t {
    pub tv_sec: c_long,
    pub tv_usec: c_long,
}

#[repr(C)]
pub struct uv_timeval64_t {
    pub tv_sec: i64,
    pub tv_usec: i32,
}

#[repr(C)]
#[derive(Default)]
pub struct uv_rusage_t {
    pub ru_utime: uv_timeval_t,
    pub ru_stime: uv_timeval_t,
    pub ru_maxrss: u64,
    pub ru_ixrss: u64,
    pub ru_idrss: u64,
    pub ru_isrss: u64,
    pub ru_minflt: u64,
    pub ru_majflt: u64,
    pub ru_nswap: u64,
    pub ru_inblock: u64,
    pub ru_oublock: u64,
    pub ru_msgsnd: u64,
    pub ru_msgrcv: u64,
    pub ru_nsignals: u64,
    pub ru_nvcsw: u64,
    pub ru_nivcsw: u64,
}
