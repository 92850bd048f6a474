use std::ffi::CString;

use super::copy::{Reflink, copy_file, sendfile};
use super::directory::{FileType, mkdir, rmdir, scandir};
use super::links::{link, realpath, rename, unlink};
use super::open::{close, open};
use super::permissions::{access, chmod, fchmod};
use super::read_write::{Position, read_into, write_from};
use super::sync::{fsync, ftruncate};
use super::temporary::{mkdtemp, mkstemp};
use super::times::{FileTimes, TimeChange, futime, utime};
use super::*;
use crate::descriptor::AsDescriptor as _;

const O_RDWR_CREAT: i32 = 2 | 0x100;
const O_EXCL: i32 = 0x400;
const O_APPEND: i32 = 8;
const O_TRUNC: i32 = 0x200;

/// An empty directory, which is removed at the end of a test.
struct Temporary(CString);

impl Temporary {
    fn new() -> Self {
        let template = path::to_c(std::env::temp_dir().join("mauve-XXXXXX").as_os_str()).unwrap();
        let (name, created) = mkdtemp(&template);
        created.unwrap();
        Self(name)
    }

    fn path(&self, name: &str) -> CString {
        CString::new([self.0.as_bytes(), b"\\", name.as_bytes()].concat()).unwrap()
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(path::to_path(&self.0).unwrap());
    }
}

#[test]
fn a_file_is_written_and_read_at_offsets() {
    let directory = Temporary::new();
    let file = open(&directory.path("f"), O_RDWR_CREAT, 0o600).unwrap();
    let fd = file.raw_descriptor();
    assert_eq!(write_from(fd, b"abcdef", Position::Current), Ok(6));
    assert_eq!(write_from(fd, b"XY", Position::At(2)), Ok(2));
    let mut buffer = [0; 8];
    assert_eq!(read_into(fd, &mut buffer, Position::At(1)), Ok(5));
    assert_eq!(&buffer[..5], b"bXYef");
    assert_eq!(read_into(fd, &mut buffer, Position::At(6)), Ok(0));
    // The file pointer is still where the first write has ended.
    assert_eq!(write_from(fd, b"g", Position::Current), Ok(1));
    ftruncate(fd, 4).unwrap();
    fsync(fd).unwrap();
    assert_eq!(super::fstat(file.as_descriptor()).unwrap().size, 4);
    assert_eq!(close(file), Ok(()));
    let exists = open(&directory.path("f"), O_RDWR_CREAT | O_EXCL, 0o600);
    assert_eq!(exists.err(), Some(Errno::EEXIST));
    let file = open(&directory.path("f"), O_RDWR_CREAT | O_APPEND, 0o600).unwrap();
    assert_eq!(write_from(file.raw_descriptor(), b"!", Position::Current), Ok(1));
    assert_eq!(std::fs::read(path::to_path(&directory.path("f")).unwrap()).unwrap(), b"abXY!");
}

#[test]
fn errors_are_those_of_libuv() {
    let directory = Temporary::new();
    assert_eq!(stat(&directory.path("missing")), Err(Errno::ENOENT));
    assert_eq!(unlink(&directory.path("missing")), Err(Errno::ENOENT));
    let unbuffered_append = 0x0200_0000 | 8;
    assert_eq!(open(c"x", unbuffered_append, 0).err(), Some(Errno::EINVAL));
    assert_eq!(open(c"x", 0x4000_0000, 0).err(), Some(Errno::EINVAL));
    assert_eq!(read_into(CLOSED, &mut [0; 1], Position::Current), Err(Errno::EBADF));
    mkdir(&directory.path("d"), 0o700).unwrap();
    assert_eq!(mkdir(&directory.path("d"), 0o700), Err(Errno::EEXIST));
    mkdir(&directory.path("d\\e"), 0o700).unwrap();
    assert_eq!(rmdir(&directory.path("d")), Err(Errno::ENOTEMPTY));
}

#[test]
fn names_are_listed_linked_and_renamed() {
    let directory = Temporary::new();
    drop(open(&directory.path("b"), O_RDWR_CREAT, 0o600).unwrap());
    mkdir(&directory.path("a"), 0o700).unwrap();
    link(&directory.path("b"), &directory.path("c")).unwrap();
    assert_eq!(stat(&directory.path("c")).unwrap().nlink, 2);
    rename(&directory.path("c"), &directory.path("d")).unwrap();
    let entries = scandir(&directory.0).unwrap();
    let entries: Vec<_> =
        entries.iter().map(|entry| (entry.name.to_str().unwrap(), entry.file_type)).collect();
    let expected = [("a", FileType::Directory), ("b", FileType::File), ("d", FileType::File)];
    assert_eq!(entries, expected);
    assert_eq!(scandir(&directory.path("b")), Err(Errno::ENOTDIR));
    let real = realpath(&directory.path("a\\..\\b")).unwrap();
    assert!(real.to_bytes().ends_with(b"\\b") && !real.to_bytes().starts_with(b"\\"), "{real:?}");
    rmdir(&directory.path("a")).unwrap();
}

#[test]
fn a_status_has_a_type_and_permissions() {
    let directory = Temporary::new();
    assert_eq!(stat(&directory.0).unwrap().mode, S_IFDIR | READ_WRITE);
    let file = directory.path("f");
    drop(open(&file, O_RDWR_CREAT, 0o600).unwrap());
    chmod(&file, 0o400).unwrap();
    assert_eq!(stat(&file).unwrap().mode, S_IFREG | READ_ONLY);
    assert_eq!((access(&file, 2), access(&file, 4)), (Err(Errno::EPERM), Ok(())));
    chmod(&file, 0o600).unwrap();
    let opened = open(&file, 2, 0).unwrap();
    fchmod(opened.raw_descriptor(), 0o400).unwrap();
    assert_eq!(lstat(&file).unwrap().mode, S_IFREG | READ_ONLY);
    fchmod(opened.raw_descriptor(), 0o600).unwrap();
    assert_eq!(access(&file, 2), Ok(()));
    let (reader, _writer) = std::io::pipe().unwrap();
    assert_eq!(fstat(reader.as_descriptor()).unwrap().mode, S_IFIFO | READ_WRITE);
    let space = statfs(&directory.0).unwrap();
    assert!(space.block_size > 0 && space.free_blocks <= space.blocks, "{space:?}");
}

#[test]
fn times_are_set_and_returned() {
    let directory = Temporary::new();
    let path = directory.path("f");
    let file = open(&path, O_RDWR_CREAT, 0o600).unwrap();
    let time = |seconds| TimeChange::Set(Timespec { seconds, nanoseconds: 500 });
    utime(&path, FileTimes { accessed: time(1000), modified: time(-5) }).unwrap();
    let found = stat(&path).unwrap();
    assert_eq!(found.modified, Timespec { seconds: -5, nanoseconds: 500 });
    let unchanged = FileTimes { accessed: TimeChange::Now, modified: TimeChange::Omit };
    futime(file.raw_descriptor(), unchanged).unwrap();
    assert_eq!(stat(&path).unwrap().modified, found.modified);
    let too_early = FileTimes { accessed: TimeChange::Omit, modified: time(i64::MIN) };
    assert_eq!(utime(&path, too_early), Err(Errno::EINVAL));
}

#[test]
fn files_are_copied() {
    let directory = Temporary::new();
    let (from, to) = (directory.path("from"), directory.path("to"));
    let source = open(&from, O_RDWR_CREAT, 0o600).unwrap();
    let bytes: Vec<u8> = (0..100_000u32).map(|n| (n / 7) as u8).collect();
    write_from(source.raw_descriptor(), &bytes, Position::Current).unwrap();
    copy_file(&from, &to, true, Reflink::Auto).unwrap();
    assert_eq!(std::fs::read(path::to_path(&to).unwrap()).unwrap(), bytes);
    assert_eq!(copy_file(&from, &to, true, Reflink::Never), Err(Errno::EEXIST));
    assert_eq!(copy_file(&from, &from, false, Reflink::Never), Ok(()));
    assert_eq!(copy_file(&from, &to, false, Reflink::Always), Err(Errno::ENOSYS));
    let (_, target) = mkstemp(&directory.path("sent-XXXXXX"));
    let target = target.unwrap();
    let [to, from] = [&target, &source].map(|file| file.raw_descriptor());
    assert_eq!(sendfile(to, from, 10, 70_000), Ok(70_000));
    let mut copy = vec![0; 70_001];
    assert_eq!(read_into(to, &mut copy, Position::At(0)), Ok(70_000));
    assert_eq!(copy[..70_000], bytes[10..70_010]);
}

#[test]
fn a_template_must_end_with_its_placeholder() {
    assert_eq!(mkdtemp(c"mauve-XXXXX"), (c"mauve-XXXXX".to_owned(), Err(Errno::EINVAL)));
}

#[test]
fn an_exclusive_file_is_opened_once_and_a_mapped_one_is_readable() {
    const CREATE_AND_WRITE: i32 = 0x101;
    const EXCLUSIVE: i32 = 0x1000_0000;
    const MAPPED: i32 = 0x2000_0000;
    let directory = Temporary::new();
    let path = directory.path("f");
    let first = open(&path, CREATE_AND_WRITE | EXCLUSIVE, 0o600).unwrap();
    assert_eq!(open(&path, 0, 0).err(), Some(Errno::EBUSY));
    drop(first);
    let mapped = open(&path, CREATE_AND_WRITE | MAPPED, 0o600).unwrap();
    let raw = mapped.raw_descriptor();
    assert_eq!(write_from(raw, b"mauve", Position::At(0)), Ok(5));
    let mut buffer = [0; 8];
    assert_eq!(read_into(raw, &mut buffer, Position::At(1)), Ok(4));
    assert_eq!(&buffer[..4], b"auve");
}

#[test]
fn directories_are_no_files_and_names_may_be_invalid() {
    let directory = Temporary::new();
    let opened = open(&directory.0, O_RDWR_CREAT | O_TRUNC, 0o600);
    assert_eq!(opened.err(), Some(Errno::EISDIR));
    assert_eq!(mkdir(&directory.path("a*"), 0), Err(Errno::EINVAL));
    assert_eq!(mkdir(&directory.path("no/a"), 0), Err(Errno::ENOENT));
}

#[test]
fn a_write_to_a_pipe_without_a_reader_is_an_error() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let writer = crate::descriptor::Descriptor::from(writer);
    let written = write_from(writer.raw_descriptor(), b"x", Position::Current);
    assert_eq!(written, Err(Errno::EPIPE));
}
