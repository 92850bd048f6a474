//! The environment, the title of the process and the directory for temporary files on Unix.

mod environment;
mod temp_dir;
pub(crate) mod title;
