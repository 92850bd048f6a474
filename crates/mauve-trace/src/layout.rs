//! The files that a traced process shares with the reader.
//!
//! A trace is a directory. Each traced process creates one [process file](process), one ring of
//! [wake-ups](wakeups) and, for each thread that records, one [ring]. A process that cannot create its
//! process file creates an empty file `PID-ERRNO.error` instead. All files are arrays of 64-bit words in
//! native byte order.

/// The layout of a process file: a header, the command line, and the names.
///
/// Each name is a header, the number by which records refer to it, and its text,
/// padded to words. The header is written last, so a zero header ends the list.
pub mod process {
    /// Marks a process file.
    pub const MAGIC: u64 = 0x7072_6f63_6573_7331;
    /// Position of the magic number.
    pub const MAGIC_AT: usize = 0;
    /// Position of the process id.
    pub const PID: usize = 1;
    /// Position of the monotonic clock when the trace of the process began, in nanoseconds.
    pub const MONOTONIC: usize = 2;
    /// Position of the wall clock at the same time, in nanoseconds since 1970.
    pub const REALTIME: usize = 3;
    /// Position of a number that the reader sets to one to end the trace.
    pub const STOP: usize = 4;
    /// Position of the number of words that names use.
    pub const NAMES_USED: usize = 5;
    /// Position of the number of names that found no space.
    pub const NAMES_LOST: usize = 6;
    /// Position of the number of threads whose ring could not be created.
    pub const THREADS_LOST: usize = 7;
    /// Position of the error number of the first ring that could not be created.
    pub const ERROR: usize = 8;
    /// Position of a number that is one if stacks had generated code whose names are not known.
    pub const UNNAMED_CODE: usize = 9;
    /// Position of the command line, which ends with a zero byte.
    pub const COMMAND: usize = 16;
    /// Words of the command line.
    pub const COMMAND_WORDS: usize = 112;
    /// Position of the names.
    pub const NAMES: usize = COMMAND + COMMAND_WORDS;
    /// Words of the names.
    pub const NAMES_WORDS: usize = 64 << 10;
    /// Words of the file.
    pub const WORDS: usize = NAMES + NAMES_WORDS;

    /// The header of a name.
    pub fn name_header(kind: u32, length: usize) -> u64 {
        u64::from(kind) << 32 | length as u64
    }

    /// The name is the address of a function. Its text is the offset in the module in hexadecimal,
    /// a space, and the path of the module.
    pub const FUNCTION: u32 = 1;
    /// The name is text: function, file and line, each on one line.
    pub const TEXT: u32 = 2;
    /// As [`FUNCTION`], of an address in the function, such as a return address.
    pub const CODE: u32 = 3;
    /// As [`TEXT`], of a function of JavaScript.
    pub const SCRIPT: u32 = 4;
}

/// The layout of a ring: a header, and the records.
///
/// The writer writes a record and then increments the number of written records. It overwrites the
/// oldest record without asking. The reader copies records, reads the number again, and drops those
/// that may have been overwritten meanwhile.
pub mod ring {
    /// Marks a ring.
    pub const MAGIC: u64 = 0x7269_6e67_6d61_7531;
    /// Position of the magic number.
    pub const MAGIC_AT: usize = 0;
    /// Position of the process id.
    pub const PID: usize = 1;
    /// Position of the thread id.
    pub const TID: usize = 2;
    /// Position of the number of records that were written.
    pub const WRITTEN: usize = 3;
    /// Position of a number that is one when the thread has exited.
    pub const CLOSED: usize = 4;
    /// Position of the name of the thread, in two words.
    pub const NAME: usize = 6;
    /// Position of the records.
    pub const RECORDS: usize = 16;
    /// How many records a ring has by default: 4 MiB.
    pub const CAPACITY: usize = 128 << 10;
}

/// The layout of the ring of wake-ups: a header, and the records.
///
/// A writer claims a number, writes the record, and writes the number plus one as its last word. The
/// 32-bit number of a record is the id of the thread.
pub mod wakeups {
    /// Marks a ring of wake-ups.
    pub const MAGIC: u64 = 0x7761_6b65_7570_7331;
    /// Position of the magic number.
    pub const MAGIC_AT: usize = 0;
    /// Position of the number of records that were claimed.
    pub const CLAIMED: usize = 8;
    /// Position of the records.
    pub const RECORDS: usize = 16;
    /// How many records the ring has: 512 KiB.
    pub const CAPACITY: usize = 16 << 10;
}
