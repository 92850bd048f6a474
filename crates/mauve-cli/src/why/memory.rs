//! The memory of another process.

use std::fs::{File, OpenOptions};
use std::io::ErrorKind;
use std::os::unix::fs::FileExt as _;

use mauve_core::probe::MAGIC;

/// Larger pieces of memory hold no program's variables, and are not searched.
const LARGEST_SEARCHED: u64 = 256 << 20;

/// The memory of a process, opened for looking at and answering.
pub struct Memory {
    pub process: u32,
    file: File,
}

/// One line of the list of what is mapped.
struct Mapping {
    begin: u64,
    end: u64,
    writable: bool,
    path: String,
}

impl Memory {
    /// Opens the memory of a process; the error says what to do about it.
    pub fn of(process: u32) -> Result<Self, String> {
        let path = format!("/proc/{process}/mem");
        match OpenOptions::new().read(true).write(true).open(path) {
            Ok(file) => Ok(Self { process, file }),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                Err(format!("there is no process {process}"))
            }
            Err(error) if error.kind() == ErrorKind::PermissionDenied => Err(format!(
                "this user may not look into process {process}: {error} (as with a debugger, it \
                 takes the same user and kernel.yama.ptrace_scope=0, or root)"
            )),
            Err(error) => Err(format!("the memory of process {process}: {error}")),
        }
    }

    /// The addresses of all beacons: one for each copy of the engine in the process.
    pub fn beacons(&self) -> Result<Vec<u64>, String> {
        let mut found = Vec::new();
        for mapping in self.mappings()? {
            // Variables of programs and libraries are in private, writable copies of their files.
            let size = mapping.end - mapping.begin;
            if !mapping.writable || !mapping.path.starts_with('/') || size > LARGEST_SEARCHED {
                continue;
            }
            // What cannot be read (a device, say) holds no variables.
            let Ok(bytes) = self.read(mapping.begin, size as usize) else { continue };
            let wanted = MAGIC.map(u64::to_ne_bytes).concat();
            let places = bytes.windows(wanted.len()).step_by(size_of::<u64>());
            let hits = places.enumerate().filter(|(_, place)| *place == wanted);
            found.extend(hits.map(|(at, _)| mapping.begin + (at * size_of::<u64>()) as u64));
        }
        Ok(found)
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

    pub fn read_number(&self, address: u64) -> std::io::Result<u64> {
        self.read_bytes(address).map(u64::from_ne_bytes)
    }

    pub fn write_number(&self, address: u64, number: u64) -> std::io::Result<()> {
        self.file.write_all_at(&number.to_ne_bytes(), address)
    }

    /// A number of half the size.
    pub fn read_half(&self, address: u64) -> std::io::Result<u32> {
        self.read_bytes(address).map(u32::from_ne_bytes)
    }

    pub fn write_half(&self, address: u64, number: u32) -> std::io::Result<()> {
        self.file.write_all_at(&number.to_ne_bytes(), address)
    }

    pub fn program_name(&self) -> String {
        let name = std::fs::read_to_string(format!("/proc/{}/comm", self.process));
        name.map_or_else(|_| "?".to_owned(), |name| name.trim_end().to_owned())
    }

    /// The number that the process itself knows itself by, which differs in a container.
    pub fn own_number(&self) -> u32 {
        super::thread::own_number(&format!("/proc/{}/status", self.process)).unwrap_or(self.process)
    }

    /// What to say of a process without a beacon.
    pub fn stranger(&self) -> String {
        let mappings = self.mappings().unwrap_or_default();
        let foreign = mappings.iter().find(|mapping| mapping.path.contains("/libuv.so"));
        let (process, name) = (self.process, self.program_name());
        match foreign {
            Some(mapping) => format!(
                "process {process} ({name}) runs on another libuv ({}): only loops of mauve answer",
                mapping.path
            ),
            None => format!("process {process} ({name}) does not use mauve"),
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
        path: fields.skip(3).collect::<Vec<_>>().join(" "),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mapping_is_read_with_a_path_that_has_spaces() {
        let line = "7f00-7fff rw-p 00001000 fd:01 42                 /opt/my lib/libuv.so.1";
        let mapping = parse(line).expect("a mapping");
        assert_eq!((mapping.begin, mapping.end, mapping.writable), (0x7f00, 0x7fff, true));
        assert_eq!(mapping.path, "/opt/my lib/libuv.so.1");
    }

    #[test]
    fn this_process_has_one_beacon() {
        let lp = mauve::Loop::<()>::new().expect("a loop");
        let memory = Memory::of(std::process::id()).expect("one's own memory");
        assert_eq!(memory.beacons().expect("a list").len(), 1);
        drop(lp);
    }
}
