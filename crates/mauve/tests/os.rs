//! System information.

use mauve::os;

#[test]
fn cpu_count_and_memory_are_known() {
    assert!(os::cpu::available_parallelism() >= 1);
    assert!(os::memory::total() > 0);
}
