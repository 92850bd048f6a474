//! The memory of another process.

use std::fs::{File, OpenOptions};
use std::io::ErrorKind;
use std::os::unix::fs::FileExt as _;

use mauve_core::probe::MAGIC;

/// The largest mapping that is searched. Larger ones do not contain static variables.
const MAX_SEARCHED: u64 = 256 << 20;

/// The memory of a process, opened for reading and writing.
pub struct Memory {
    pub process: u32,
    file: File,
}

/// One line of `/proc/PID/maps`.
struct Mapping {
    begin: u64,
    end: u64,
    writable: bool,
    /// The position in the file.
    offset: u64,
    path: String,
}

impl Memory {
    /// Opens the memory of a process.
    pub fn of(process: u32) -> Result<Self, String> {
        let path = format!("/proc/{process}/mem");
        match OpenOptions::new().read(true).write(true).open(path) {
            Ok(file) => Ok(Self { process, file }),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                Err(format!("there is no process {process}"))
            }
            Err(error) if error.kind() == ErrorKind::PermissionDenied => Err(format!(
                "cannot access process {process}: {error} (this needs the permission to debug it: \
                 the same user and kernel.yama.ptrace_scope=0, or root)"
            )),
            Err(error) => Err(format!("the memory of process {process}: {error}")),
        }
    }

    /// The addresses of all probe roots: one for each copy of the engine in the process.
    pub fn probe_roots(&self) -> Result<Vec<u64>, String> {
        let mut found = Vec::new();
        for mapping in self.mappings()? {
            // Static variables are in private, writable mappings of files.
            let size = mapping.end - mapping.begin;
            if !mapping.writable || !mapping.path.starts_with('/') || size > MAX_SEARCHED {
                continue;
            }
            // Skips mappings that cannot be read, such as devices.
            let Ok(bytes) = self.read(mapping.begin, size as usize) else { continue };
            let magic = MAGIC.map(u64::to_ne_bytes).concat();
            let windows = bytes.windows(magic.len()).step_by(size_of::<u64>());
            let hits = windows.enumerate().filter(|(_, window)| *window == magic);
            found.extend(hits.map(|(at, _)| mapping.begin + (at * size_of::<u64>()) as u64));
        }
        Ok(found)
    }

    /// The files that are loaded: first address, end, and path.
    pub fn files(&self) -> Vec<(u64, u64, String)> {
        /// V8 maps a part of the program a second time, far away.
        const LARGEST: u64 = 1 << 30;
        let mut files: Vec<(u64, u64, String)> = Vec::new();
        let mappings = self.mappings().unwrap_or_default().into_iter();
        for mapping in mappings.filter(|mapping| mapping.path.starts_with('/')) {
            // The first mapping of a file is that of its beginning, and the others follow.
            let is_part = |(begin, _, path): &&mut (u64, u64, String)| {
                *path == mapping.path && mapping.begin - *begin < LARGEST
            };
            match files.last_mut().filter(is_part) {
                Some((_, end, _)) => *end = mapping.end,
                None if mapping.offset == 0 => {
                    files.push((mapping.begin, mapping.end, mapping.path));
                }
                None => {}
            }
        }
        files
    }

    fn mappings(&self) -> Result<Vec<Mapping>, String> {
        let path = format!("/proc/{}/maps", self.process);
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
        Ok(text.lines().filter_map(parse).collect())
    }

    pub fn read(&self, address: u64, length: usize) -> std::io::Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        self.file.read_exact_at(&mut bytes, address)?;
        Ok(bytes)
    }

    fn read_bytes<const N: usize>(&self, address: u64) -> std::io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.file.read_exact_at(&mut bytes, address)?;
        Ok(bytes)
    }

    pub fn read_u64(&self, address: u64) -> std::io::Result<u64> {
        self.read_bytes(address).map(u64::from_ne_bytes)
    }

    pub fn write_u64(&self, address: u64, number: u64) -> std::io::Result<()> {
        self.file.write_all_at(&number.to_ne_bytes(), address)
    }

    pub fn read_u32(&self, address: u64) -> std::io::Result<u32> {
        self.read_bytes(address).map(u32::from_ne_bytes)
    }

    pub fn write_u32(&self, address: u64, number: u32) -> std::io::Result<()> {
        self.file.write_all_at(&number.to_ne_bytes(), address)
    }

    pub fn program_name(&self) -> String {
        let name = std::fs::read_to_string(format!("/proc/{}/comm", self.process));
        name.map_or_else(|_| "?".to_owned(), |name| name.trim_end().to_owned())
    }

    /// The pid in the process's own namespace, which differs in a container.
    pub fn own_pid(&self) -> u32 {
        super::thread::inner_id(&format!("/proc/{}/status", self.process)).unwrap_or(self.process)
    }

    /// The error for a process without a probe root.
    pub fn without_mauve(&self) -> String {
        let mappings = self.mappings().unwrap_or_default();
        let foreign = mappings.iter().find(|mapping| mapping.path.contains("/libuv.so"));
        let (process, name) = (self.process, self.program_name());
        match foreign {
            Some(mapping) => format!(
                "process {process} ({name}) runs on another libuv ({}), not on mauve",
                mapping.path
            ),
            None => {
                format!("process {process} ({name}) does not use mauve: start it with `mauve with`")
            }
        }
    }
}

/// `7f12a000-7f12b000 rw-p 00000000 fd:01 123   /usr/lib/libuv.so.1`
fn parse(line: &str) -> Option<Mapping> {
    let mut fields = line.split_ascii_whitespace();
    let (begin, end) = fields.next()?.split_once('-')?;
    let rights = fields.next()?;
    let number = |text| u64::from_str_radix(text, 16).ok();
    Some(Mapping {
        begin: number(begin)?,
        end: number(end)?,
        writable: rights.starts_with("rw"),
        offset: number(fields.next()?)?,
        path: fields.skip(2).collect::<Vec<_>>().join(" "),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_of_a_mapping_may_have_spaces() {
        let line = "7f00-7fff rw-p 00001000 fd:01 42                 /opt/my lib/libuv.so.1";
        let mapping = parse(line).expect("a mapping");
        assert_eq!((mapping.begin, mapping.end, mapping.writable), (0x7f00, 0x7fff, true));
        assert_eq!(mapping.path, "/opt/my lib/libuv.so.1");
    }

    #[test]
    fn this_process_has_one_probe_root() {
        let lp = mauve::Loop::<()>::new().expect("a loop");
        let memory = Memory::of(std::process::id()).expect("own memory");
        assert_eq!(memory.probe_roots().expect("a list").len(), 1);
        drop(lp);
    }
}
