//! What a user and a group are.

use std::ffi::CString;
use std::path::PathBuf;

/// A user account.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct User {
    /// The user name.
    pub name: CString,
    /// The user id.
    pub uid: u32,
    /// The id of the primary group.
    pub gid: u32,
    /// The home directory.
    pub home: PathBuf,
    /// The login shell.
    pub shell: PathBuf,
}

/// A group of users.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Group {
    /// The group name.
    pub name: CString,
    /// The group id.
    pub gid: u32,
    /// The names of the members. Users whose primary group it is may be missing.
    pub members: Vec<CString>,
}
