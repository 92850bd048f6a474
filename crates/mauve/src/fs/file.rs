//! Open files, for tasks.

use std::fs::{FileTimes, Metadata, OpenOptions, Permissions};
use std::future::poll_fn;
use std::io;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};

use mauve_sys::descriptor::AsDescriptor as _;
use mauve_sys::fs::nowait;
use mauve_sys::fs::read_batch::FileRead;
use mauve_sys::fs::read_write::{Position, write_from};
use mauve_sys::fs::stat::fstat;

use super::file_io::FileIo;
use super::{blocking, inline};
use crate::core::current;
use crate::os_io::impl_file_traits;
use crate::targets::Outcome;
use crate::task::Request;
use crate::writes::Writes;
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
///     let (file, path) = fs::create_temp_file(std::env::temp_dir().join("log-")).await?;
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
    /// The writes of [`AsyncWrite`](futures_io::AsyncWrite), after the first one.
    pub(super) writes: OnceLock<Writes>,
}

impl SharedFile {
    /// Waits until all accepted bytes are written.
    pub(super) fn poll_written(&self, context: &Context<'_>) -> Poll<()> {
        self.writes.get().map_or(Poll::Ready(()), |writes| writes.poll_idle(context))
    }

    /// As [`poll_written`](Self::poll_written). Returns the error of a write.
    pub(super) fn poll_flush(&self, context: &Context<'_>) -> Poll<io::Result<()>> {
        self.writes.get().map_or(Poll::Ready(Ok(())), |writes| writes.poll_flush(context))
    }
}

impl File {
    /// Opens a file for reading.
    ///
    /// # Cancel safety
    /// If the future is dropped, the file is closed again.
    #[doc(alias = "uv_fs_open")]
    pub async fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        Self::open_with(path, OpenOptions::new().read(true)).await
    }

    /// Opens a file for writing. Creates it, or truncates it.
    ///
    /// # Cancel safety
    /// If the future is dropped, the file may have been created or truncated. It is closed again.
    pub async fn create(path: impl AsRef<Path>) -> io::Result<Self> {
        Self::open_with(path, OpenOptions::new().write(true).create(true).truncate(true)).await
    }

    /// Creates a file for reading and writing, which must not exist.
    ///
    /// # Cancel safety
    /// If the future is dropped, the file may have been created. It is closed again.
    pub async fn create_new(path: impl AsRef<Path>) -> io::Result<Self> {
        Self::open_with(path, OpenOptions::new().read(true).write(true).create_new(true)).await
    }

    /// Options for opening a file.
    pub fn options() -> super::OpenOptions {
        super::OpenOptions::new()
    }

    pub(super) async fn open_with(
        path: impl AsRef<Path>,
        options: &OpenOptions,
    ) -> io::Result<Self> {
        let (path, options) = (path.as_ref().to_owned(), options.clone());
        blocking(move || options.open(path)).await.map(Self::from_std)
    }

    /// Converts a file of the standard library.
    pub fn from_std(file: std::fs::File) -> Self {
        let shared =
            Arc::new(SharedFile { file, direct: OnceLock::new(), writes: OnceLock::new() });
        Self { shared, io: FileIo::default() }
    }

    /// Converts to a file of the standard library. Returns `self` if there are other clones, or
    /// operations in flight.
    pub fn try_into_std(self) -> Result<std::fs::File, Self> {
        let Self { shared, io } = self;
        Arc::try_unwrap(shared).map(|shared| shared.file).map_err(|shared| Self { shared, io })
    }

    /// Reads up to `length` bytes at `offset`. Returns fewer at the end of the file.
    ///
    /// # Cancel safety
    /// If the future is dropped, the read is cancelled, or its bytes are dropped. It can be repeated.
    #[doc(alias = "uv_fs_read")]
    pub async fn read_at(&self, length: usize, offset: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.read_from(&mut bytes, length, Position::At(offset)).await?;
        Ok(bytes)
    }

    /// Reads up to `length` bytes at the current position, which advances. Returns none at the end
    /// of the file.
    ///
    /// # Cancel safety
    /// Not cancel safe: if the future is dropped, bytes may have been read, and the position of the file is
    /// after them. A read through `AsyncRead` loses none.
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
    ///
    /// # Cancel safety
    /// If the future is dropped, the read is cancelled, or its bytes are dropped with the allocation of
    /// `buffer`. It can be repeated.
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
    /// # Cancel safety
    /// Not cancel safe: see [`read_bytes`](Self::read_bytes).
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
        self.append_from(buffer, length, position).await
    }

    /// Reads up to `length` bytes, and appends them to `buffer`. Returns their number.
    pub(super) async fn append_from(
        &self,
        buffer: &mut Vec<u8>,
        length: usize,
        position: Position,
    ) -> io::Result<usize> {
        self.written().await;
        let read = self.file_read(length, position, std::mem::take(buffer));
        let mut request = Request::read(current(), read)?;
        let result = match poll_fn(|context| request.poll_outcome(context)).await {
            Outcome::Read(result) => result,
            Outcome::LoopClosed => return Err(Errno::ECANCELED.into()),
            _ => unreachable!("a read request has a read completion"),
        };
        *buffer = request.take_read().unwrap_or_default();
        Ok(result? as usize)
    }

    /// Waits until the bytes that were accepted through the traits are written.
    async fn written(&self) {
        poll_fn(|context| self.shared.poll_written(context)).await;
    }

    /// A read that appends up to `length` bytes to `buffer`.
    pub(super) fn file_read(&self, length: usize, position: Position, buffer: Vec<u8>) -> FileRead {
        let read = FileRead::owned(self.shared.clone(), position, length, buffer);
        let direct = || nowait::is_direct(self.raw_descriptor());
        if *self.shared.direct.get_or_init(direct) { read } else { read.cached() }
    }

    /// Writes all of `bytes` at `offset`.
    ///
    /// # Cancel safety
    /// If the future is dropped, all bytes are written, or none.
    #[doc(alias = "uv_fs_write")]
    pub async fn write_at(&self, bytes: impl Into<Vec<u8>>, offset: u64) -> io::Result<()> {
        self.write_to(bytes.into(), Position::At(offset)).await
    }

    /// Writes all of `bytes` at the current position, which advances.
    ///
    /// # Cancel safety
    /// Not cancel safe: if the future is dropped, all bytes are written, or none. A write through `AsyncWrite`
    /// has accepted its bytes when it completes, and none before.
    pub async fn write_bytes(&self, bytes: impl Into<Vec<u8>>) -> io::Result<()> {
        self.write_to(bytes.into(), Position::Current).await
    }

    async fn write_to(&self, bytes: Vec<u8>, position: Position) -> io::Result<()> {
        self.blocking(move |file| {
            let mut written = 0;
            while written < bytes.len() {
                let at = position.advanced_by(written);
                match write_from(file.raw_descriptor(), &bytes[written..], at)? {
                    0 => return Err(Errno::EIO.into()),
                    more => written += more,
                }
            }
            Ok(())
        })
        .await
    }

    /// The metadata of the file.
    ///
    /// # Cancel safety
    /// The operation has no effect, so nothing is lost if the future is dropped.
    pub async fn metadata(&self) -> io::Result<Metadata> {
        self.written().await;
        let file = &self.shared.file;
        let cached = || nowait::is_local(file.raw_descriptor()).then(|| file.metadata());
        if let Some(found) = inline::attempt(current(), cached).await {
            return found;
        }
        self.blocking(std::fs::File::metadata).await
    }

    /// The metadata of the file, with the fields of libuv's `uv_stat_t`.
    ///
    /// # Cancel safety
    /// The operation has no effect, so nothing is lost if the future is dropped.
    #[doc(alias = "uv_fs_fstat")]
    pub async fn stat(&self) -> io::Result<Stat> {
        self.written().await;
        let cached = || nowait::fstat(self.raw_descriptor());
        if let Some(found) = inline::attempt(current(), cached).await {
            return Ok(found);
        }
        self.blocking(|file| Ok(fstat(file.raw_descriptor())?)).await
    }

    /// Truncates the file, or extends it with zeros.
    ///
    /// # Cancel safety
    /// If the future is dropped, the operation may still be performed.
    #[doc(alias = "uv_fs_ftruncate")]
    pub async fn set_len(&self, length: u64) -> io::Result<()> {
        self.blocking(move |file| file.set_len(length)).await
    }

    /// Writes the contents and metadata of the file to the disk.
    ///
    /// # Cancel safety
    /// If the future is dropped, the operation may still be performed.
    #[doc(alias = "uv_fs_fsync")]
    pub async fn sync_all(&self) -> io::Result<()> {
        poll_fn(|context| self.shared.poll_flush(context)).await?;
        self.blocking(std::fs::File::sync_all).await
    }

    /// Writes the contents of the file to the disk, and the metadata needed to read them.
    ///
    /// # Cancel safety
    /// If the future is dropped, the operation may still be performed.
    #[doc(alias = "uv_fs_fdatasync")]
    pub async fn sync_data(&self) -> io::Result<()> {
        poll_fn(|context| self.shared.poll_flush(context)).await?;
        self.blocking(std::fs::File::sync_data).await
    }

    /// Sets the permissions of the file.
    ///
    /// # Cancel safety
    /// If the future is dropped, the operation may still be performed.
    #[doc(alias = "uv_fs_fchmod")]
    pub async fn set_permissions(&self, permissions: Permissions) -> io::Result<()> {
        self.blocking(move |file| file.set_permissions(permissions)).await
    }

    /// Sets the access and modification times of the file.
    ///
    /// # Cancel safety
    /// If the future is dropped, the operation may still be performed.
    #[doc(alias = "uv_fs_futime")]
    pub async fn set_times(&self, times: FileTimes) -> io::Result<()> {
        self.blocking(move |file| file.set_times(times)).await
    }

    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&std::fs::File) -> io::Result<T> + Send + 'static,
    ) -> io::Result<T> {
        self.written().await;
        let shared = self.shared.clone();
        blocking(move || work(&shared.file)).await
    }
}

impl_file_traits!(SharedFile, |shared| shared.file);
impl_file_traits!(File, |file| file.shared.file);
