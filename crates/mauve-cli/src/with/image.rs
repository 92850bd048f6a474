//! Reads ELF files.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use object::read::elf::{ElfFile64, FileHeader as _};
use object::{Endianness, Object as _, ObjectSymbol as _, elf};

/// A function that every libuv defines.
const FUNCTION: &str = "uv_run";

/// A string that every libuv contains, even without symbols.
const TEXT: &[u8] = b"UV_THREADPOOL_SIZE";

/// A program or a library.
pub struct Image {
    /// The dynamic loader (`PT_INTERP`); `None` for a statically linked program.
    pub loader: Option<PathBuf>,
    /// Whether it defines libuv's functions.
    pub defines_libuv: bool,
    /// Whether it contains a string of libuv.
    pub mentions_libuv: bool,
}

impl Image {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, String> {
        let shown = path.display();
        let bytes = fs::read(path).map_err(|e| format!("{shown}: {e}"))?;
        let image: ElfFile64<'_, Endianness> =
            ElfFile64::parse(&*bytes).map_err(|_| format!("{shown} is not a 64-bit ELF file"))?;
        let defines = |name: object::read::Result<&str>, defined| defined && name == Ok(FUNCTION);
        let defines_libuv = image
            .dynamic_symbols()
            .chain(image.symbols())
            .any(|symbol| defines(symbol.name(), symbol.is_definition()));
        Ok(Self {
            loader: loader(&image),
            defines_libuv,
            mentions_libuv: bytes.windows(TEXT.len()).any(|window| window == TEXT),
        })
    }
}

fn loader(image: &ElfFile64<'_, Endianness>) -> Option<PathBuf> {
    use object::read::elf::ProgramHeader as _;
    let (endian, data) = (image.endian(), image.data());
    let headers = image.elf_header().program_headers(endian, data).ok()?;
    let header = headers.iter().find(|header| header.p_type(endian) == elf::PT_INTERP)?;
    let path = header.data(endian, data).ok()?;
    let path = path.strip_suffix(b"\0").unwrap_or(path);
    Some(PathBuf::from(OsStr::from_bytes(path)))
}
