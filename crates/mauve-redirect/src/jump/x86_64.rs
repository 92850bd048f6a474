//! x86-64.

/// The size of a long jump: six bytes and the address, aligned.
pub const LONG: usize = 16;

/// A short jump has a signed offset of 32 bits.
pub const REACH: usize = i32::MAX as usize;

/// Marks the target of an indirect branch. It stays, for processors that check it.
const ENDBR64: [u8; 4] = [0xf3, 0x0f, 0x1e, 0xfa];

/// `jmp [rip + 2]`, and the address at a multiple of eight.
pub fn long(target: usize) -> [u8; LONG] {
    let mut code = [0; LONG];
    code[..6].copy_from_slice(&[0xff, 0x25, 2, 0, 0, 0]);
    code[8..].copy_from_slice(&target.to_le_bytes());
    code
}

/// The new beginning of a function: `jmp rel32`, after `endbr64` if it begins so. `code` are the bytes of
/// the function and of what follows, up to the next function. None if the jump does not fit, or does
/// not lead so far.
pub fn short(code: &[u8], size: usize, from: usize, to: usize) -> Option<Vec<u8>> {
    let kept = if code.starts_with(&ENDBR64) { ENDBR64.len() } else { 0 };
    let end = kept + 5;
    if end > code.len() || end > size && !is_padding(&code[size..]) {
        return None;
    }
    let distance = to.wrapping_sub(from.wrapping_add(end)) as isize;
    let distance = i32::try_from(distance).ok()?;
    Some([&code[..kept], &[0xe9], &distance.to_le_bytes()].concat())
}

/// Whether compilers put these bytes between functions: `int3`, `nop`, and the beginning of a longer `nop`.
fn is_padding(mut code: &[u8]) -> bool {
    const NOPS: [&[u8]; 11] = [
        &[0xcc],
        &[0x90],
        &[0x66, 0x90],
        &[0x0f, 0x1f, 0x00],
        &[0x0f, 0x1f, 0x40, 0x00],
        &[0x0f, 0x1f, 0x44, 0x00, 0x00],
        &[0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00],
        &[0x0f, 0x1f, 0x80, 0x00, 0x00, 0x00, 0x00],
        &[0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00],
        &[0x66, 0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00],
        &[0x2e, 0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00],
    ];
    while let Some(first) = code.first() {
        let found = NOPS.iter().find(|nop| code.starts_with(nop));
        code = match found {
            Some(nop) => &code[nop.len()..],
            // Prefixes make a `nop` longer: `66 66 2e 0f 1f 84 ...`.
            None if matches!(first, 0x66 | 0x2e) => &code[1..],
            None => return false,
        };
    }
    true
}

/// The processor notices changed instructions by itself.
pub fn flush(_begin: usize, _end: usize) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_jump_keeps_endbr64() {
        let jump = short(&[0x90; 16], 16, 0x1000, 0x2000).unwrap();
        assert_eq!(jump, [0xe9, 0xfb, 0x0f, 0, 0]);
        let code = [&ENDBR64[..], &[0x90; 12]].concat();
        assert_eq!(short(&code, 16, 0x1000, 0x2000).unwrap()[..5], [0xf3, 0x0f, 0x1e, 0xfa, 0xe9]);
        assert_eq!(short(&code, 16, 0x1000, 0x2000).unwrap()[5..], [0xf7, 0x0f, 0, 0]);
    }

    #[test]
    fn a_short_function_needs_padding_behind_it() {
        // `ret`, and a `nop` of eleven bytes up to the next function.
        let padded =
            [0xc3, 0x66, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0, 0xcc, 0xcc, 0xcc, 0xcc];
        assert!(short(&padded, 1, 0, 0).is_some());
        // Another function without a symbol follows.
        assert_eq!(short(&[0xc3, 0x55, 0x48, 0x89, 0xe5, 0xc3], 1, 0, 0), None);
        // The next symbol is too near.
        assert_eq!(short(&padded[..4], 1, 0, 0), None);
    }

    #[test]
    fn a_short_jump_does_not_lead_beyond_2_gib() {
        assert!(short(&[0x90; 16], 16, 0x1_0000_0000, 0x1_7000_0000).is_some());
        assert_eq!(short(&[0x90; 16], 16, 0x1_0000_0000, 0x1_9000_0000), None);
    }

    #[test]
    fn a_long_jump_contains_the_aligned_address() {
        let code = long(0x0011_2233_4455_6677);
        assert_eq!(code[..6], [0xff, 0x25, 2, 0, 0, 0]);
        assert_eq!(code[8..], [0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, 0]);
    }
}
