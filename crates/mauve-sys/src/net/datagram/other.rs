//! Datagrams on systems without `recvmmsg`.

pub use super::mmsg_loop::*;
pub use super::no_offload::*;
