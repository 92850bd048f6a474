//! AArch64.

use std::arch::asm;

/// The size of a long jump: two instructions and the address.
pub const LONG: usize = 16;

/// A short jump has a signed offset of 26 bits, in instructions.
pub const REACH: usize = (1 << 27) - 4;

const BTI_C: u32 = 0xd503_245f;
const BTI_JC: u32 = 0xd503_24df;
const PACIASP: u32 = 0xd503_233f;
const PACIBSP: u32 = 0xd503_237f;
const NOP: u32 = 0xd503_201f;

/// `ldr x16, #8; br x16`, and the address.
pub fn long(target: usize) -> [u8; LONG] {
    let mut code = [0; LONG];
    code[..4].copy_from_slice(&0x5800_0050_u32.to_le_bytes());
    code[4..8].copy_from_slice(&0xd61f_0200_u32.to_le_bytes());
    code[8..].copy_from_slice(&target.to_le_bytes());
    code
}

/// The new beginning of a function: `b`, after `bti c` if it begins with an instruction that permits
/// indirect calls. `code` are the bytes of the function and of what follows, up to the next function.
/// None if the jump does not fit, or does not lead so far.
pub fn short(code: &[u8], size: usize, from: usize, to: usize) -> Option<Vec<u8>> {
    let instruction = |bytes: &[u8]| Some(u32::from_le_bytes(bytes.try_into().ok()?));
    let first = instruction(code.get(..4)?)?;
    // `paciasp` would sign an address that mauve's function does not authenticate.
    let is_landing_pad = matches!(first, BTI_C | BTI_JC | PACIASP | PACIBSP);
    let kept = if is_landing_pad { &BTI_C.to_le_bytes()[..] } else { &[] };
    let end = kept.len() + 4;
    let mut behind = code.get(size..end).unwrap_or_default().chunks(4);
    if end > code.len() || !behind.all(|bytes| instruction(bytes) == Some(NOP)) {
        return None;
    }
    let distance = to.wrapping_sub(from.wrapping_add(kept.len())) as isize;
    if distance.unsigned_abs() > REACH || distance % 4 != 0 {
        return None;
    }
    let branch = 0x1400_0000 | (distance / 4) as u32 & 0x03ff_ffff;
    Some([kept, &branch.to_le_bytes()].concat())
}

/// Makes the processor read the instructions again.
pub fn flush(begin: usize, end: usize) {
    // The smallest cache line that the architecture permits has 16 bytes.
    for line in (begin & !15..end).step_by(16) {
        // SAFETY: writes a line of mapped memory back. Changes nothing else.
        unsafe { asm!("dc cvau, {}", in(reg) line, options(nostack, preserves_flags)) };
    }
    // SAFETY: orders memory accesses.
    unsafe { asm!("dsb ish", options(nostack, preserves_flags)) };
    for line in (begin & !15..end).step_by(16) {
        // SAFETY: discards a line of the instruction cache.
        unsafe { asm!("ic ivau, {}", in(reg) line, options(nostack, preserves_flags)) };
    }
    // SAFETY: orders memory accesses, and discards what was fetched.
    unsafe { asm!("dsb ish", "isb", options(nostack, preserves_flags)) };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(instructions: &[u32]) -> Vec<u8> {
        instructions.iter().flat_map(|instruction| instruction.to_le_bytes()).collect()
    }

    const RET: u32 = 0xd65f_03c0;

    #[test]
    fn a_short_jump_keeps_a_landing_pad() {
        assert_eq!(short(&code(&[RET]), 4, 0x1000, 0x2000), Some(code(&[0x1400_0400])));
        let jump = Some(code(&[BTI_C, 0x1400_03ff]));
        assert_eq!(short(&code(&[BTI_C, RET]), 8, 0x1000, 0x2000), jump);
        assert_eq!(short(&code(&[PACIASP, RET]), 8, 0x1000, 0x2000), jump);
        assert_eq!(short(&code(&[BTI_C, NOP]), 4, 0x1000, 0x2000), jump);
        assert_eq!(short(&code(&[BTI_C, RET]), 4, 0x1000, 0x2000), None);
    }

    #[test]
    fn a_short_jump_does_not_lead_beyond_128_mib() {
        assert_eq!(short(&code(&[RET]), 4, 0x1000_0000, 0x0fff_fffc), Some(code(&[0x17ff_ffff])));
        assert_eq!(short(&code(&[RET]), 4, 0x1000_0000, 0x1800_0000), None);
    }
}
