//! Open files.

use std::fs::{FileTimes, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, RawFd};
use std::path::Path;
use std::sync::Arc;

use mauve_sys::fs::nowait::{self, Attempt};
use mauve_sys::fs::read_write::{Position, read_into, write_from};

use super::{blocking, turn};
use crate::{Errno, Result};

/// An open file. Clones are the same file; it is closed with the last of them.
///
/// ```
/// use mauve::{Loop, fs::{self, File}};
///
/// let lp: Loop = Loop::new()?;
/// lp.block_on(async {
///     let (file, path) = fs::create_unique_file(std::env::temp_dir().join("log-")).await?;
///     file.write_at("hello world", 0).await?;
///     file.write_at("there", 6).await?;
///     assert_eq!(file.read_at(100, 0).await?, b"hello there");
///     assert_eq!(file.metadata().await?.len(), 11);
///     fs::remove_file(path).await
/// })?;
/// # Ok::<(), mauve::Errno>(())
/// ```
#[derive(Clone, Debug)]
pub struct File(Arc<std::fs::File>);

impl File {
    /// Opens a file to read it.
    #[doc(alias = "uv_fs_open")]
    pub async fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_with(path, OpenOptions::new().read(true)).await
    }

    /// Opens a file to write it, and makes it or empties it.
    pub async fn create(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_with(path, OpenOptions::new().write(true).create(true).truncate(true)).await
    }

    /// Opens a file in any way that there is.
    pub async fn open_with(path: impl AsRef<Path>, options: &OpenOptions) -> Result<Self> {
        let (path, options) = (path.as_ref().to_owned(), options.clone());
        blocking(move || options.open(path)).await.map(Self::from_std)
    }

    /// Takes over a file that was opened otherwise.
    pub fn from_std(file: std::fs::File) -> Self {
        Self(Arc::new(file))
    }

    /// The file for other uses; the file itself if it has other clones, or is in use.
    pub fn try_into_std(self) -> Result<std::fs::File, Self> {
        Arc::try_unwrap(self.0).map_err(Self)
    }

    /// Up to `length` bytes from `offset` on; fewer at the end of the file, and none behind it.
    #[doc(alias = "uv_fs_read")]
    pub async fn read_at(&self, length: usize, offset: u64) -> Result<Vec<u8>> {
        self.read_from(length, Position::At(offset)).await
    }

    /// Up to `length` bytes from where the file stands, which moves on. None at the end.
    pub async fn read(&self, length: usize) -> Result<Vec<u8>> {
        self.read_from(length, Position::Current).await
    }

    async fn read_from(&self, length: usize, position: Position) -> Result<Vec<u8>> {
        let (mut buffer, attempt) = self.attempt(length, position).await;
        let begun = match attempt {
            Attempt::Done(result) => {
                buffer.truncate(result?);
                return Ok(buffer);
            }
            Attempt::Begun(bytes) => bytes,
        };
        buffer.resize(length, 0);
        self.blocking(move |file| {
            let rest = read_into(file.as_raw_fd(), &mut buffer[begun..], position.after(begun));
            let read = match rest {
                Ok(bytes) => begun + bytes,
                Err(_) if begun > 0 => begun,
                Err(error) => return Err(error.into()),
            };
            buffer.truncate(read);
            Ok(buffer)
        })
        .await
    }

    /// Reads what can be had without waiting. The buffer has that much, or more.
    async fn attempt(&self, length: usize, position: Position) -> (Vec<u8>, Attempt) {
        if let Position::At(offset) = position
            && length <= nowait::MAX_BYTES
            && let Some(read) = turn::read_together(self.as_raw_fd(), offset, length).await
        {
            return read;
        }
        let mut buffer = vec![0; length];
        let attempt = nowait::read_into(self.as_raw_fd(), &mut buffer, position);
        if let Attempt::Done(Ok(_)) = attempt {
            turn::await_turn().await;
        }
        (buffer, attempt)
    }

    /// Writes all of `bytes` at `offset`.
    #[doc(alias = "uv_fs_write")]
    pub async fn write_at(&self, bytes: impl Into<Vec<u8>>, offset: u64) -> Result<()> {
        self.write_to(bytes.into(), Position::At(offset)).await
    }

    /// Writes all of `bytes` to where the file stands, which moves on.
    pub async fn write(&self, bytes: impl Into<Vec<u8>>) -> Result<()> {
        self.write_to(bytes.into(), Position::Current).await
    }

    async fn write_to(&self, bytes: Vec<u8>, position: Position) -> Result<()> {
        self.blocking(move |file| {
            let mut written = 0;
            while written < bytes.len() {
                let at = position.after(written);
                match write_from(file.as_raw_fd(), &bytes[written..], at)? {
                    0 => return Err(Errno::EIO.into()),
                    more => written += more,
                }
            }
            Ok(())
        })
        .await
    }

    /// What is known about the file.
    #[doc(alias = "uv_fs_fstat")]
    pub async fn metadata(&self) -> Result<Metadata> {
        if turn::may_work_at_once() && nowait::is_local(self.as_raw_fd()) {
            let found = self.0.metadata()?;
            turn::await_turn().await;
            return Ok(found);
        }
        self.blocking(std::fs::File::metadata).await
    }

    /// Cuts the file off, or fills it up with zeros.
    #[doc(alias = "uv_fs_ftruncate")]
    pub async fn set_len(&self, length: u64) -> Result<()> {
        self.blocking(move |file| file.set_len(length)).await
    }

    /// Waits until all of the file is on its disk.
    #[doc(alias = "uv_fs_fsync")]
    pub async fn sync_all(&self) -> Result<()> {
        self.blocking(std::fs::File::sync_all).await
    }

    /// Waits until the contents are on the disk, and what is needed to find them there.
    #[doc(alias = "uv_fs_fdatasync")]
    pub async fn sync_data(&self) -> Result<()> {
        self.blocking(std::fs::File::sync_data).await
    }

    /// Changes who may do what with the file.
    #[doc(alias = "uv_fs_fchmod")]
    pub async fn set_permissions(&self, permissions: Permissions) -> Result<()> {
        self.blocking(move |file| file.set_permissions(permissions)).await
    }

    /// Changes when the file was read and written.
    #[doc(alias = "uv_fs_futime")]
    pub async fn set_times(&self, times: FileTimes) -> Result<()> {
        self.blocking(move |file| file.set_times(times)).await
    }

    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&std::fs::File) -> io::Result<T> + Send + 'static,
    ) -> Result<T> {
        let file = self.0.clone();
        blocking(move || work(&file)).await
    }
}

impl AsFd for File {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl AsRawFd for File {
    fn as_raw_fd(&self) -> RawFd {
        self.0.as_raw_fd()
    }
}
