//! A growing array of nodes that never moves, readable while it grows.

use super::Node;

/// Chunk `n` holds `FIRST << n` nodes, so the chunks of a full 32-bit index space are few.
#[cfg(not(loom))]
pub(super) struct Nodes {
    chunks: [std::sync::OnceLock<Box<[Node]>>; CHUNKS],
}

#[cfg(not(loom))]
const FIRST: usize = 32;
#[cfg(not(loom))]
const CHUNKS: usize = 28;

#[cfg(not(loom))]
impl Nodes {
    pub fn new() -> Self {
        Self { chunks: [const { std::sync::OnceLock::new() }; CHUNKS] }
    }

    pub fn get(&self, index: u32) -> Option<&Node> {
        let (chunk, offset) = locate(index);
        self.chunks[chunk].get()?.get(offset)
    }

    /// Makes sure that the node at `index` exists.
    pub fn grow_to(&self, index: u32) {
        let (chunk, _) = locate(index);
        self.chunks[chunk].get_or_init(|| (0..FIRST << chunk).map(|_| Node::new()).collect());
    }
}

#[cfg(not(loom))]
fn locate(index: u32) -> (usize, usize) {
    let position = index as usize + FIRST;
    let chunk = (position.ilog2() - FIRST.ilog2()) as usize;
    (chunk, position - (FIRST << chunk))
}

/// The model checker needs neither growth nor room.
#[cfg(loom)]
pub(super) struct Nodes([Node; 2]);

#[cfg(loom)]
impl Nodes {
    pub fn new() -> Self {
        Self([Node::new(), Node::new()])
    }

    pub fn get(&self, index: u32) -> Option<&Node> {
        self.0.get(index as usize)
    }

    pub fn grow_to(&self, _: u32) {}
}
