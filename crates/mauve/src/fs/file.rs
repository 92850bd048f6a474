//! Open files, for tasks.

use std::fs::{FileTimes, Metadata, OpenOptions, Permissions};
use std::future::poll_fn;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, RawFd};
use std::path::Path;
use std::sync::{Arc, OnceLock};

use mauve_sys::fs::nowait;
use mauve_sys::fs::read_batch::FileRead;
use mauve_sys::fs::read_write::{Position, write_from};
use mauve_sys::fs::stat::fstat;

use super::file_io::FileIo;
use super::{blocking, inline};
use crate::core::current;
use crate::task::{Outcome, Request};
use crate::{Errno, Stat};

/// An open file. Clones refer to the same file, which is closed with the last of them.
///
/// Its methods own their buffers and take `&self`, so several tasks may use one file. The traits of
/// futures-io ([`AsyncRead`], [`AsyncWrite`], [`AsyncSeek`]) are implemented, too.
///
/// [`AsyncRead`]: futures_io::AsyncRead
/// [`AsyncWrite`]: futures_io::AsyncWrite
/// [`AsyncSeek`]: futures_io::AsyncSeek
///
/// ```
/// use mauve::{Loop, fs::{self, File}};
///
/// let lp: Loop = Loop::new()?;
/// lp.block_on(async {
///     let (file, path) = fs::mkstemp(std::env::temp_dir().join("log-")).await?;
///     file.write_at("hello world", 0).await?;
///     file.write_at("there", 6).await?;
///     assert_eq!(file.read_at(100, 0).await?, b"hello there");
///     assert_eq!(file.metadata().await?.len(), 11);
///     fs::remove_file(path).await
/// })?;
/// # Ok::<(), mauve::Errno>(())
/// ```
#[derive(Debug)]
pub struct File {
    pub(super) shared: Arc<SharedFile>,
    pub(super) io: FileIo,
}

/// The clone shares the position of the file, but no bytes that were read for a dropped future.
impl Clone for File {
    fn clone(&self) -> Self {
        Self { shared: self.shared.clone(), io: FileIo::default() }
    }
}

/// The state that clones of a [`File`] share.
#[derive(Debug)]
pub(super) struct SharedFile {
    pub(super) file: std::fs::File,
    /// Whether the file was opened with `O_DIRECT`, checked at the first read. If the flag is set
    /// later, reads may block the loop.
    direct: OnceLock<bool>,
}

impl File {
    /// Opens a file for reading.
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// # use mauve::fs::File;
    /// let file = File::open("/dev/zero").await?;
    /// assert_eq!(file.read_bytes(4).await?, [0; 4]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "uv_fs_open")]
    pub async fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        Self::open_with(path, OpenOptions::new().read(true)).await
    }

    /// Opens a file for writing. Creates it, or truncates it.
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// # use mauve::fs::{self, File};
    /// # let directory = fs::mkdtemp(std::env::temp_dir().join("example-")).await?;
    /// let path = directory.join("greeting");
    /// let file = File::create(&path).await?;
    /// file.write_bytes("hello").await?;
    /// assert_eq!(fs::read(&path).await?, b"hello");
    /// # fs::remove_dir_all(directory).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn create(path: impl AsRef<Path>) -> io::Result<Self> {
        Self::open_with(path, OpenOptions::new().write(true).create(true).truncate(true)).await
    }

    /// Creates a file for reading and writing, which must not exist.
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// # use mauve::fs::{self, File};
    /// # let directory = fs::mkdtemp(std::env::temp_dir().join("example-")).await?;
    /// let path = directory.join("new");
    /// File::create_new(&path).await?.write_bytes("hello").await?;
    /// let error = File::create_new(&path).await.unwrap_err();
    /// assert_eq!(error.kind(), std::io::ErrorKind::AlreadyExists);
    /// # fs::remove_dir_all(directory).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn create_new(path: impl AsRef<Path>) -> io::Result<Self> {
        Self::open_with(path, OpenOptions::new().read(true).write(true).create_new(true)).await
    }

    /// Options for opening a file.
    pub fn options() -> super::OpenOptions {
        super::OpenOptions::new()
    }

    /// Opens a file with the given options.
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// use std::fs::OpenOptions;
    /// # use mauve::fs::{self, File};
    ///
    /// # let directory = fs::mkdtemp(std::env::temp_dir().join("example-")).await?;
    /// let path = directory.join("log");
    /// for line in ["one\n", "two\n"] {
    ///     let file = File::open_with(&path, OpenOptions::new().append(true).create(true)).await?;
    ///     file.write_bytes(line).await?;
    /// }
    /// assert_eq!(fs::read_to_string(&path).await?, "one\ntwo\n");
    /// # fs::remove_dir_all(directory).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn open_with(path: impl AsRef<Path>, options: &OpenOptions) -> io::Result<Self> {
        let (path, options) = (path.as_ref().to_owned(), options.clone());
        blocking(move || options.open(path)).await.map(Self::from_std)
    }

    /// Converts a file of the standard library.
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// use mauve::fs::File;
    ///
    /// let file = std::fs::File::open("/dev/zero")?;
    /// assert_eq!(File::from_std(file).read_at(2, 0).await?, [0, 0]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn from_std(file: std::fs::File) -> Self {
        let shared = Arc::new(SharedFile { file, direct: OnceLock::new() });
        Self { shared, io: FileIo::default() }
    }

    /// Converts to a file of the standard library. Returns `self` if there are other clones, or
    /// operations in flight.
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// # use mauve::fs::File;
    /// use std::io::Read;
    ///
    /// let file = File::open("/dev/zero").await?;
    /// let mut file = file.try_into_std().expect("there are no clones");
    /// file.read_exact(&mut [0; 8])?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn try_into_std(self) -> Result<std::fs::File, Self> {
        let Self { shared, io } = self;
        Arc::try_unwrap(shared).map(|shared| shared.file).map_err(|shared| Self { shared, io })
    }

    /// Reads up to `length` bytes at `offset`. Returns fewer at the end of the file.
    #[doc(alias = "uv_fs_read")]
    pub async fn read_at(&self, length: usize, offset: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.read_from(&mut bytes, length, Position::At(offset)).await?;
        Ok(bytes)
    }

    /// Reads up to `length` bytes at the current position, which advances. Returns none at the end
    /// of the file.
    pub async fn read_bytes(&self, length: usize) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.read_from(&mut bytes, length, Position::Current).await?;
        Ok(bytes)
    }

    /// [`read_at`](Self::read_at) into an existing buffer, whose contents are replaced. Returns the
    /// number of bytes read.
    ///
    /// The operation owns the allocation meanwhile. If the future is dropped, `buffer` is empty and
    /// unallocated.
    ///
    /// ```
    /// use mauve::{Loop, fs::File};
    ///
    /// let lp: Loop = Loop::new()?;
    /// lp.block_on(async {
    ///     let zeros = File::open("/dev/zero").await?;
    ///     let mut page = Vec::with_capacity(4096);
    ///     for number in 0..4 {
    ///         assert_eq!(zeros.read_at_into(&mut page, 4096, number * 4096).await?, 4096);
    ///         assert_eq!(page, [0; 4096]);
    ///     }
    ///     Ok::<_, mauve::Errno>(())
    /// })?;
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    pub async fn read_at_into(
        &self,
        buffer: &mut Vec<u8>,
        length: usize,
        offset: u64,
    ) -> io::Result<usize> {
        self.read_from(buffer, length, Position::At(offset)).await
    }

    /// [`read_bytes`](Self::read_bytes) into an existing buffer. See [`read_at_into`](Self::read_at_into).
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// # let directory = mauve::fs::mkdtemp(std::env::temp_dir().join("example-")).await?;
    /// # let path = directory.join("file");
    /// use mauve::fs::{self, File};
    ///
    /// fs::write(&path, "hello").await?;
    /// let file = File::open(&path).await?;
    /// let mut buffer = Vec::new();
    /// let mut total = 0;
    /// while file.read_into(&mut buffer, 2).await? > 0 {
    ///     total += buffer.len();
    /// }
    /// assert_eq!(total, 5);
    /// # mauve::fs::remove_dir_all(directory).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn read_into(&self, buffer: &mut Vec<u8>, length: usize) -> io::Result<usize> {
        self.read_from(buffer, length, Position::Current).await
    }

    /// Reads into `buffer`, and replaces its contents.
    async fn read_from(
        &self,
        buffer: &mut Vec<u8>,
        length: usize,
        position: Position,
    ) -> io::Result<usize> {
        buffer.clear();
        let allocation = std::mem::take(buffer);
        let read = FileRead::owned(self.shared.clone(), position, length, allocation);
        let read = if self.is_direct() { read } else { read.cached() };
        let mut request = Request::read(current(), read);
        let result = match poll_fn(|context| request.poll_outcome(context)).await {
            Outcome::Read(result) => result,
            Outcome::LoopClosed => return Err(Errno::ECANCELED.into()),
            _ => unreachable!("a read request has a read completion"),
        };
        *buffer = request.take_read().unwrap_or_default();
        Ok(result? as usize)
    }

    fn is_direct(&self) -> bool {
        *self.shared.direct.get_or_init(|| nowait::is_direct(self.as_raw_fd()))
    }

    /// Writes all of `bytes` at `offset`.
    #[doc(alias = "uv_fs_write")]
    pub async fn write_at(&self, bytes: impl Into<Vec<u8>>, offset: u64) -> io::Result<()> {
        self.write_to(bytes.into(), Position::At(offset)).await
    }

    /// Writes all of `bytes` at the current position, which advances.
    pub async fn write_bytes(&self, bytes: impl Into<Vec<u8>>) -> io::Result<()> {
        self.write_to(bytes.into(), Position::Current).await
    }

    async fn write_to(&self, bytes: Vec<u8>, position: Position) -> io::Result<()> {
        self.blocking(move |file| {
            let mut written = 0;
            while written < bytes.len() {
                let at = position.advanced_by(written);
                match write_from(file.as_raw_fd(), &bytes[written..], at)? {
                    0 => return Err(Errno::EIO.into()),
                    more => written += more,
                }
            }
            Ok(())
        })
        .await
    }

    /// The metadata of the file.
    pub async fn metadata(&self) -> io::Result<Metadata> {
        let file = &self.shared.file;
        let cached = || nowait::is_local(file.as_raw_fd()).then(|| file.metadata());
        if let Some(found) = inline::attempt(current(), cached).await {
            return found;
        }
        self.blocking(std::fs::File::metadata).await
    }

    /// The metadata of the file, with the fields of libuv's `uv_stat_t`.
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// use mauve::fs::File;
    ///
    /// let stat = File::open("/dev/null").await?.stat().await?;
    /// assert_eq!(stat.size, 0);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "uv_fs_fstat")]
    pub async fn stat(&self) -> io::Result<Stat> {
        let cached = || nowait::fstat(self.as_raw_fd());
        if let Some(found) = inline::attempt(current(), cached).await {
            return Ok(found);
        }
        self.blocking(|file| Ok(fstat(file.as_raw_fd())?)).await
    }

    /// Truncates the file, or extends it with zeros.
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// # use mauve::fs;
    /// let (file, path) = fs::mkstemp(std::env::temp_dir().join("example-")).await?;
    /// file.write_bytes("hello world").await?;
    /// file.set_len(5).await?;
    /// assert_eq!(fs::read(&path).await?, b"hello");
    /// # fs::remove_file(path).await?;
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "uv_fs_ftruncate")]
    pub async fn set_len(&self, length: u64) -> io::Result<()> {
        self.blocking(move |file| file.set_len(length)).await
    }

    /// Writes the contents and metadata of the file to the disk.
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// # use mauve::fs;
    /// let (file, path) = fs::mkstemp(std::env::temp_dir().join("example-")).await?;
    /// file.write_bytes("text").await?;
    /// file.sync_all().await?;
    /// # fs::remove_file(path).await?;
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "uv_fs_fsync")]
    pub async fn sync_all(&self) -> io::Result<()> {
        self.blocking(std::fs::File::sync_all).await
    }

    /// Writes the contents of the file to the disk, and the metadata needed to read them.
    #[doc(alias = "uv_fs_fdatasync")]
    pub async fn sync_data(&self) -> io::Result<()> {
        self.blocking(std::fs::File::sync_data).await
    }

    /// Sets the permissions of the file.
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// # let directory = mauve::fs::mkdtemp(std::env::temp_dir().join("example-")).await?;
    /// # let path = directory.join("file");
    /// use std::os::unix::fs::PermissionsExt;
    /// use mauve::fs::File;
    ///
    /// let file = File::create(&path).await?;
    /// file.set_permissions(std::fs::Permissions::from_mode(0o600)).await?;
    /// assert_eq!(file.metadata().await?.permissions().mode() & 0o777, 0o600);
    /// # mauve::fs::remove_dir_all(directory).await?;
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "uv_fs_fchmod")]
    pub async fn set_permissions(&self, permissions: Permissions) -> io::Result<()> {
        self.blocking(move |file| file.set_permissions(permissions)).await
    }

    /// Sets the access and modification times of the file.
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// # let directory = mauve::fs::mkdtemp(std::env::temp_dir().join("example-")).await?;
    /// # let path = directory.join("file");
    /// use std::fs::FileTimes;
    /// use std::time::SystemTime;
    /// use mauve::fs::File;
    ///
    /// let file = File::create(&path).await?;
    /// file.set_times(FileTimes::new().set_modified(SystemTime::UNIX_EPOCH)).await?;
    /// assert_eq!(file.metadata().await?.modified()?, SystemTime::UNIX_EPOCH);
    /// # mauve::fs::remove_dir_all(directory).await?;
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "uv_fs_futime")]
    pub async fn set_times(&self, times: FileTimes) -> io::Result<()> {
        self.blocking(move |file| file.set_times(times)).await
    }

    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&std::fs::File) -> io::Result<T> + Send + 'static,
    ) -> io::Result<T> {
        let shared = self.shared.clone();
        blocking(move || work(&shared.file)).await
    }
}

impl AsFd for SharedFile {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }
}

impl AsFd for File {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.shared.file.as_fd()
    }
}

impl AsRawFd for File {
    fn as_raw_fd(&self) -> RawFd {
        self.shared.file.as_raw_fd()
    }
}
