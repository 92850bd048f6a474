//! A sequentially consistent memory fence that is cheap on x86.

use std::sync::atomic::Ordering;

/// Orders all memory accesses before it against all accesses after it, like `fence(SeqCst)`.
///
/// On x86 the compiler emits `mfence` for `fence(SeqCst)`, which takes 35 ns. A locked instruction on
/// the thread's own stack gives the same ordering in less than 1 ns.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn full() {
    // The compiler must not move accesses across the instruction either.
    std::sync::atomic::compiler_fence(Ordering::SeqCst);
    // SAFETY: `or` with zero changes no memory. The operand lies in the red zone, on another cache
    // line than the return address, so the processor does not have to wait for the latter.
    unsafe {
        std::arch::asm!("lock or dword ptr [rsp - 64], 0", options(nostack));
    }
    std::sync::atomic::compiler_fence(Ordering::SeqCst);
}

/// Orders all memory accesses before it against all accesses after it.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub fn full() {
    std::sync::atomic::fence(Ordering::SeqCst);
}
