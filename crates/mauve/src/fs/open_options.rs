//! Options for opening files.

use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use super::File;

/// Options for opening a file, as [`std::fs::OpenOptions`].
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// use mauve::fs::{self, OpenOptions};
///
/// # let directory = fs::mkdtemp(std::env::temp_dir().join("example-")).await?;
/// let path = directory.join("log");
/// for line in ["one\n", "two\n"] {
///     let file = OpenOptions::new().append(true).create(true).mode(0o600).open(&path).await?;
///     file.write_bytes(line).await?;
/// }
/// assert_eq!(fs::read_to_string(&path).await?, "one\ntwo\n");
/// # fs::remove_dir_all(directory).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct OpenOptions(std::fs::OpenOptions);

impl OpenOptions {
    /// Options that are all off.
    pub fn new() -> Self {
        Self(std::fs::OpenOptions::new())
    }

    /// Whether the file is opened for reading.
    pub fn read(&mut self, on: bool) -> &mut Self {
        self.0.read(on);
        self
    }

    /// Whether the file is opened for writing.
    pub fn write(&mut self, on: bool) -> &mut Self {
        self.0.write(on);
        self
    }

    /// Whether writes append to the file.
    pub fn append(&mut self, on: bool) -> &mut Self {
        self.0.append(on);
        self
    }

    /// Whether the file is truncated.
    pub fn truncate(&mut self, on: bool) -> &mut Self {
        self.0.truncate(on);
        self
    }

    /// Whether the file is created if it does not exist.
    pub fn create(&mut self, on: bool) -> &mut Self {
        self.0.create(on);
        self
    }

    /// Whether the file is created, and must not exist.
    pub fn create_new(&mut self, on: bool) -> &mut Self {
        self.0.create_new(on);
        self
    }

    /// The permissions of a file that is created, restricted by the umask.
    pub fn mode(&mut self, mode: u32) -> &mut Self {
        self.0.mode(mode);
        self
    }

    /// Further flags of `open`.
    pub fn custom_flags(&mut self, flags: i32) -> &mut Self {
        self.0.custom_flags(flags);
        self
    }

    /// Opens a file.
    ///
    /// # Panics
    /// Panics if no loop runs on this thread.
    #[doc(alias = "uv_fs_open")]
    pub async fn open(&self, path: impl AsRef<Path>) -> io::Result<File> {
        File::open_with(path, &self.0).await
    }
}

impl Default for OpenOptions {
    fn default() -> Self {
        Self::new()
    }
}

impl From<std::fs::OpenOptions> for OpenOptions {
    fn from(options: std::fs::OpenOptions) -> Self {
        Self(options)
    }
}
