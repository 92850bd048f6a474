//! Questions about the machine, through the Rust API.

use mauve::os;

#[test]
fn the_machine_has_processors_and_memory() {
    assert!(os::cpu::available_parallelism() >= 1);
    assert!(os::memory::total() > 0);
}
