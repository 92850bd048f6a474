//! Reads ELF files.
//!
//! Official builds of Node have 150 MB, so only their headers and a few exported symbols are read. The rest
//! is searched where no function of libuv is exported.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use memchr::memmem;
use object::read::ReadCache;
use object::read::elf::{
    FileHeader as _, ProgramHeader as _, SectionHeader as _, SectionTable, Sym as _,
};
use object::{Endianness, ReadRef, U32, elf};

/// A function that every libuv defines.
const FUNCTION: &str = "uv_run";

/// A string that every libuv contains, even without symbols.
const TEXT: &[u8] = b"UV_THREADPOOL_SIZE";

type Section = elf::SectionHeader64<Endianness>;

const SYMBOL_SIZE: u64 = size_of::<elf::Sym64<Endianness>>() as u64;

/// A program or a library.
pub struct Image {
    /// The dynamic loader (`PT_INTERP`); `None` for a statically linked program.
    pub loader: Option<PathBuf>,
    /// The libuv that is linked into it.
    pub libuv: Libuv,
    /// Whether it contains mauve's engine, as Rust programs and static libraries do.
    pub has_engine: bool,
}

/// The libuv that is linked into a file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Libuv {
    /// None that is known.
    None,
    /// Its functions are exported, so they can be redirected.
    Exported,
    /// Its functions are not exported.
    Hidden,
    /// The file has a string of libuv, but no symbols of it.
    Mentioned,
}

impl Image {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, String> {
        let shown = path.display();
        let failed = |error: std::io::Error| format!("{shown}: {error}");
        let parts = ReadCache::new(File::open(path).map_err(failed)?);
        let headers =
            Headers::read(&parts).map_err(|_| format!("{shown} is not a 64-bit ELF file"))?;
        let loader = headers.loader();
        if headers.exports_libuv() {
            return Ok(Self { loader, libuv: Libuv::Exported, has_engine: false });
        }
        let bytes = fs::read(path).map_err(failed)?;
        let contains = |text: &[u8]| memmem::find(&bytes, text).is_some();
        let libuv = if headers.exported(FUNCTION).is_some() || !contains(TEXT) {
            Libuv::None
        } else if headers.size(elf::SHT_SYMTAB, FUNCTION).is_some() {
            Libuv::Hidden
        } else {
            Libuv::Mentioned
        };
        let has_engine = contains(&mauve_core::probe::MAGIC.map(u64::to_ne_bytes).concat());
        Ok(Self { loader, libuv, has_engine })
    }

    /// Whether a file exports functions of a libuv.
    pub fn exports_libuv(path: &Path) -> bool {
        let Ok(file) = File::open(path) else { return false };
        Headers::read(&ReadCache::new(file)).is_ok_and(|headers| headers.exports_libuv())
    }
}

/// The headers of a file, of which further parts are read on demand.
struct Headers<'data, R> {
    header: &'data elf::FileHeader64<Endianness>,
    endian: Endianness,
    parts: R,
}

impl<'data, R: ReadRef<'data>> Headers<'data, R> {
    fn read(parts: R) -> object::Result<Self> {
        let header = elf::FileHeader64::parse(parts)?;
        Ok(Self { header, endian: header.endian()?, parts })
    }

    /// The path in `PT_INTERP`.
    fn loader(&self) -> Option<PathBuf> {
        let headers = self.header.program_headers(self.endian, self.parts).ok()?;
        let header = headers.iter().find(|header| header.p_type(self.endian) == elf::PT_INTERP)?;
        let path = header.data(self.endian, self.parts).ok()?;
        let path = path.strip_suffix(b"\0").unwrap_or(path);
        Some(PathBuf::from(OsStr::from_bytes(path)))
    }

    /// Whether the functions of a libuv are exported. Those of Bun have the same code, which only ends the
    /// program. mauve-redirect has the same rule.
    fn exports_libuv(&self) -> bool {
        let sizes = [FUNCTION, "uv_loop_init", "uv_walk"].map(|name| self.exported(name));
        let are_stubs = sizes[0] != Some(0) && sizes.iter().all(|size| *size == sizes[0]);
        sizes[0].is_some() && !are_stubs
    }

    /// The size of an exported symbol.
    fn exported(&self, name: &str) -> Option<u64> {
        match self.section(elf::SHT_GNU_HASH) {
            Some(hash) => self.hashed(hash, name.as_bytes()),
            None => self.size(elf::SHT_DYNSYM, name),
        }
    }

    /// The size of a symbol in a hash table of the GNU linkers. Node exports 40,000 symbols: those of one
    /// bucket are read.
    fn hashed(&self, hash: &Section, name: &[u8]) -> Option<u64> {
        let (endian, parts) = (self.endian, self.parts);
        let number = |at: u64| Some(parts.read_at::<U32<Endianness>>(at).ok()?.get(endian));
        let wanted = elf::gnu_hash(name);
        let begin = hash.sh_offset(endian);
        let [buckets, first, bloom] = [number(begin)?, number(begin + 4)?, number(begin + 8)?];
        let bucket_array = begin + 16 + 8 * u64::from(bloom);
        let chains = bucket_array + 4 * u64::from(buckets);
        let bucket = wanted.checked_rem(buckets)?;
        let mut index = number(bucket_array + 4 * u64::from(bucket))?;
        let table = self.section(elf::SHT_DYNSYM)?;
        let strings = self.sections()?.section(table.link(endian)).ok()?.sh_offset(endian);
        loop {
            // An empty bucket is 0, which is below the first hashed symbol.
            let found = number(chains + 4 * u64::from(index.checked_sub(first)?))?;
            if found | 1 == wanted | 1 {
                let at = table.sh_offset(endian) + u64::from(index) * SYMBOL_SIZE;
                let symbol: &elf::Sym64<Endianness> = parts.read_at(at).ok()?;
                let at = strings + u64::from(symbol.st_name(endian));
                let text = parts.read_bytes_at(at, name.len() as u64 + 1).ok()?;
                if text.strip_suffix(b"\0") == Some(name) && !symbol.is_undefined(endian) {
                    return Some(symbol.st_size(endian));
                }
            }
            if found & 1 == 1 {
                return None;
            }
            index = index.checked_add(1)?;
        }
    }

    fn sections(&self) -> Option<SectionTable<'data, elf::FileHeader64<Endianness>, R>> {
        self.header.sections(self.endian, self.parts).ok()
    }

    fn section(&self, kind: elf::SectionType) -> Option<&'data Section> {
        self.sections()?.iter().find(|section| section.sh_type(self.endian) == kind)
    }

    /// The size of a symbol that a table of this type defines.
    fn size(&self, table: elf::SectionType, name: &str) -> Option<u64> {
        let section = self.section(table)?;
        let symbols: &[elf::Sym64<Endianness>] =
            section.data_as_array(self.endian, self.parts).ok()?;
        let strings = self.sections()?.section(section.link(self.endian)).ok()?;
        let strings = strings.data(self.endian, self.parts).ok()?;
        // Programs may have 75,000 symbols, and names of 5 MB: search these once, and then compare offsets.
        let offsets: Vec<usize> =
            memmem::find_iter(strings, format!("{name}\0").as_bytes()).collect();
        let has_name = |symbol: &&elf::Sym64<Endianness>| {
            offsets.contains(&(symbol.st_name(self.endian) as usize))
                && !symbol.is_undefined(self.endian)
        };
        symbols.iter().find(has_name).map(|symbol| symbol.st_size(self.endian))
    }
}
