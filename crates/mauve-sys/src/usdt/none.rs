//! Systems without static probes.

/// No probe.
pub fn callback_begin(_kind: u64, _token: u64, _function: u64) {}

/// No probe.
pub fn callback_end() {}

/// No probe.
pub fn iteration(_lp: u64, _number: u64) {}

/// No probe.
pub fn job_begin(_request: u64) {}

/// No probe.
pub fn job_end(_request: u64) {}
