//! Files and directories under names that nobody else has.

use std::ffi::CString;
use std::path::{Path, PathBuf};

use mauve_sys::fs::temporary;

use super::{File, blocking, from_c, to_c};
use crate::Result;

/// Makes a directory whose path begins with `prefix`, for its owner alone. Returns its path.
#[doc(alias = "uv_fs_mkdtemp")]
pub async fn create_unique_dir(prefix: impl AsRef<Path>) -> Result<PathBuf> {
    let template = template(prefix.as_ref())?;
    let make = move || {
        let (path, made) = temporary::mkdtemp(&template);
        made?;
        Ok(path)
    };
    blocking(make).await.map(from_c)
}

/// Makes and opens a file whose path begins with `prefix`, for its owner alone.
#[doc(alias = "uv_fs_mkstemp")]
pub async fn create_unique_file(prefix: impl AsRef<Path>) -> Result<(File, PathBuf)> {
    let template = template(prefix.as_ref())?;
    let make = move || {
        let (path, made) = temporary::mkstemp(&template);
        Ok((std::fs::File::from(made?), path))
    };
    let (file, path) = blocking(make).await?;
    Ok((File::from_std(file), from_c(path)))
}

fn template(prefix: &Path) -> Result<CString> {
    let mut template = prefix.as_os_str().to_owned();
    template.push("XXXXXX");
    to_c(Path::new(&template))
}
