//! What the API has in the terms of the system: traits of the standard library for descriptors, and options of
//! files. The rest of the crate mentions no system, except for the types of Unix sockets in [`crate::net`].

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub(crate) use unix::{
    PollSource, impl_file_traits, impl_owner_traits, impl_socket_traits, raw_descriptor,
};
#[cfg(windows)]
pub(crate) use windows::{
    PollSource, impl_file_traits, impl_owner_traits, impl_socket_traits, raw_descriptor,
};
