//! Plain data types of loops and clocks.

#[repr(C)]
pub struct uv_metrics_t {
    pub loop_count: u64,
    pub events: u64,
    pub events_waiting: u64,
    _reserved: [usize; 13],
}

#[repr(C)]
pub struct uv_timespec64_t {
    pub tv_sec: i64,
    pub tv_nsec: i32,
}
