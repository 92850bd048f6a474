//! Whether the peer of a socket belongs to this process: the system has no list to search.

use super::Peer;
use crate::descriptor::RawDescriptor;

pub fn peer(_: RawDescriptor) -> Peer {
    Peer::None
}
