//! Temporary files and directories with unique names.

use std::ffi::CString;
use std::io;
use std::path::{Path, PathBuf};

use mauve_sys::fs::path::from_c_string;
use mauve_sys::fs::temporary;

use super::{File, blocking, to_c_path};

/// Creates a directory with a unique path that starts with `prefix`, accessible by its owner only.
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// # use mauve::fs;
/// let directory = fs::create_temp_dir(std::env::temp_dir().join("example-")).await?;
/// assert!(fs::metadata(&directory).await?.is_dir());
/// fs::remove_dir(directory).await?;
/// # Ok(())
/// # }
/// ```
///
/// # Cancel safety
/// Not cancel safe: if the future is dropped, the directory may have been created, and stays.
#[doc(alias = "uv_fs_mkdtemp")]
pub async fn create_temp_dir(prefix: impl AsRef<Path>) -> io::Result<PathBuf> {
    let template = template(prefix.as_ref())?;
    let create = move || {
        let (path, created) = temporary::mkdtemp(&template);
        created?;
        Ok(path)
    };
    Ok(from_c_string(blocking(create).await?)?)
}

/// Creates and opens a file with a unique path that starts with `prefix`, accessible by its owner
/// only.
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// # use mauve::fs;
/// let (file, path) = fs::create_temp_file(std::env::temp_dir().join("example-")).await?;
/// file.write_bytes("text").await?;
/// fs::remove_file(path).await?;
/// # Ok(())
/// # }
/// ```
///
/// # Cancel safety
/// Not cancel safe: if the future is dropped, the file may have been created, and stays.
#[doc(alias = "uv_fs_mkstemp")]
pub async fn create_temp_file(prefix: impl AsRef<Path>) -> io::Result<(File, PathBuf)> {
    let template = template(prefix.as_ref())?;
    let create = move || {
        let (path, created) = temporary::mkstemp(&template);
        Ok((std::fs::File::from(created?), path))
    };
    let (file, path) = blocking(create).await?;
    Ok((File::from_std(file), from_c_string(path)?))
}

fn template(prefix: &Path) -> io::Result<CString> {
    let mut template = prefix.as_os_str().to_owned();
    template.push("XXXXXX");
    Ok(to_c_path(Path::new(&template))?)
}
