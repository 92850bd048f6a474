//! The environment, the title of the process and the directory for temporary files on Windows.

mod environment;
mod temp_dir;
pub(crate) mod title;
