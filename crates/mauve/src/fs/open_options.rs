//! Options for opening files.

use std::io;
use std::path::Path;

use super::File;

/// Options for opening a file, as [`std::fs::OpenOptions`].
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// use mauve::fs::{self, OpenOptions};
///
/// # let directory = fs::create_temp_dir(std::env::temp_dir().join("example-")).await?;
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
pub struct OpenOptions(pub(crate) std::fs::OpenOptions);

macro_rules! options {
    ($($name:ident($type:ty) $text:literal),* $(,)?) => {$(
        #[doc = $text]
        pub fn $name(&mut self, value: $type) -> &mut Self {
            self.0.$name(value);
            self
        }
    )*};
}

impl OpenOptions {
    /// Options that are all off.
    pub fn new() -> Self {
        Self(std::fs::OpenOptions::new())
    }

    options! {
        read(bool) "Whether the file is opened for reading.",
        write(bool) "Whether the file is opened for writing.",
        append(bool) "Whether writes append to the file.",
        truncate(bool) "Whether the file is truncated.",
        create(bool) "Whether the file is created if it does not exist.",
        create_new(bool) "Whether the file is created, and must not exist.",
    }

    /// Opens a file.
    ///
    /// # Cancel safety
    /// If the future is dropped, the file is closed again. What its options create or truncate may have been
    /// created or truncated.
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
