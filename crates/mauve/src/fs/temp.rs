//! Temporary files and directories with unique names.

use std::ffi::CString;
use std::path::{Path, PathBuf};

use mauve_sys::fs::temporary;

use super::{File, blocking, from_c_path, to_c_path};
use crate::Result;

/// Creates a directory with a unique path that starts with `prefix`, accessible by its owner only.
#[doc(alias = "uv_fs_mkdtemp")]
pub async fn mkdtemp(prefix: impl AsRef<Path>) -> Result<PathBuf> {
    let template = template(prefix.as_ref())?;
    let create = move || {
        let (path, created) = temporary::mkdtemp(&template);
        created?;
        Ok(path)
    };
    blocking(create).await.map(from_c_path)
}

/// Creates and opens a file with a unique path that starts with `prefix`, accessible by its owner
/// only.
#[doc(alias = "uv_fs_mkstemp")]
pub async fn mkstemp(prefix: impl AsRef<Path>) -> Result<(File, PathBuf)> {
    let template = template(prefix.as_ref())?;
    let create = move || {
        let (path, created) = temporary::mkstemp(&template);
        Ok((std::fs::File::from(created?), path))
    };
    let (file, path) = blocking(create).await?;
    Ok((File::from_std(file), from_c_path(path)))
}

fn template(prefix: &Path) -> Result<CString> {
    let mut template = prefix.as_os_str().to_owned();
    template.push("XXXXXX");
    to_c_path(Path::new(&template))
}
