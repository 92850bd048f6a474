//! Systems without a system call that reads memory which may not be mapped.

/// Reads from an address of this process into `buffer`. `None`: the system does not support it.
pub fn probe_memory(_address: u64, _buffer: &mut [u64]) -> Option<bool> {
    None
}
