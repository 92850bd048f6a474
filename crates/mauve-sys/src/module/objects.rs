//! The objects that the dynamic linker has loaded.

/// Whether an address is in the object.
///
/// # Safety
/// The object is loaded.
pub(crate) unsafe fn contains(info: &libc::dl_phdr_info, address: *const ()) -> bool {
    // SAFETY: the dynamic linker provides the address and the number of program headers.
    let headers = unsafe { std::slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum.into()) };
    let offset = (address as u64).wrapping_sub(info.dlpi_addr);
    headers.iter().any(|header| {
        header.p_type == libc::PT_LOAD && offset.wrapping_sub(header.p_vaddr) < header.p_memsz
    })
}
