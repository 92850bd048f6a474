//! Hardware addresses of interfaces, on systems with `AF_LINK`.

use std::ffi::c_int;

/// The hardware address of an interface, if `address` is one.
///
/// # Safety
/// `address` points to a socket address that is as long as its family requires.
pub unsafe fn hardware_address(address: *const libc::sockaddr) -> Option<[u8; 6]> {
    // SAFETY: every address has a family at this offset.
    if c_int::from(unsafe { (*address).sa_family }) != libc::AF_LINK {
        return None;
    }
    let link = address.cast::<libc::sockaddr_dl>();
    // SAFETY: the family is AF_LINK, so it is a sockaddr_dl, which need not be aligned.
    let (name, length) = unsafe {
        (
            (&raw const (*link).sdl_nlen).read_unaligned(),
            (&raw const (*link).sdl_alen).read_unaligned(),
        )
    };
    if length != 6 {
        return None;
    }
    // SAFETY: the hardware address follows after the name, and has six bytes.
    let bytes =
        unsafe { (&raw const (*link).sdl_data).cast::<[u8; 6]>().byte_add(name.into()).read() };
    Some(bytes)
}
