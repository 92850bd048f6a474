//! Static probes as notes of SystemTap in the section `.note.stapsdt`.

use std::arch::asm;
use std::mem::offset_of;

use super::{ProbeRoot, ROOT};

/// The position of the semaphore: the upper 16 bits of a little-endian number.
const SEMAPHORE: usize = offset_of!(ProbeRoot, trace) + 6;

/// What tools compare with the address of the section of this name, to find out by how much it was moved.
#[unsafe(link_section = ".stapsdt.base")]
static BASE: u8 = 0;

/// A `nop`, and the note that describes it. `$arguments` says where the arguments are.
macro_rules! probe {
    ($name:literal, $arguments:literal $(, $register:tt = $value:expr)*) => {
        // SAFETY: a `nop`. The note is not loaded.
        unsafe {
            asm!(
                "990: nop",
                ".pushsection .note.stapsdt, \"\", @note",
                ".balign 4",
                ".4byte 992f - 991f, 994f - 993f, 3",
                "991: .asciz \"stapsdt\"",
                "992: .balign 4",
                "993: .8byte 990b, {base}, {root} + {semaphore}",
                ".asciz \"mauve\"",
                concat!(".asciz \"", $name, "\""),
                concat!(".asciz \"", $arguments, "\""),
                "994: .balign 4",
                ".popsection",
                base = sym BASE,
                root = sym ROOT,
                semaphore = const SEMAPHORE,
                $(in($register) $value,)*
                options(nostack, preserves_flags),
            )
        }
    };
}

/// Defines the probes with the registers of an architecture.
macro_rules! probes {
    ($one:tt $two:tt $three:tt, $args1:literal, $args2:literal, $args3:literal) => {
        /// A callback begins. `function` is its address, or zero.
        #[inline(never)]
        pub fn callback_begin(kind: u64, token: u64, function: u64) {
            // Notes do not keep a linker from dropping it.
            std::hint::black_box(&BASE);
            probe!("callback__begin", $args3, $one = kind, $two = token, $three = function);
        }

        /// The innermost callback ends.
        #[inline(never)]
        pub fn callback_end() {
            probe!("callback__end", "");
        }

        /// An iteration of a loop polls.
        #[inline(never)]
        pub fn iteration(lp: u64, number: u64) {
            probe!("iteration", $args2, $one = lp, $two = number);
        }

        /// A pool thread starts a request.
        #[inline(never)]
        pub fn job_begin(request: u64) {
            probe!("job__begin", $args1, $one = request);
        }

        /// A pool thread has finished a request.
        #[inline(never)]
        pub fn job_end(request: u64) {
            probe!("job__end", $args1, $one = request);
        }
    };
}

#[cfg(target_arch = "x86_64")]
probes!("rdi" "rsi" "rdx", "8@%rdi", "8@%rdi 8@%rsi", "8@%rdi 8@%rsi 8@%rdx");

#[cfg(target_arch = "aarch64")]
probes!("x0" "x1" "x2", "8@x0", "8@x0 8@x1", "8@x0 8@x1 8@x2");
