//! A growing array of nodes that never moves, readable while it grows.

use super::Node;

/// Chunk `n` holds `FIRST << n` nodes, so the chunks of a full 32-bit index space are few.
#[cfg(not(loom))]
pub(super) struct Nodes {
    chunks: [std::sync::OnceLock<Box<[Node]>>; CHUNKS],
}

/// Room for sixteen nodes on a cache line of their own, see [`locate`].
#[cfg(not(loom))]
const FIRST: usize = 128;
#[cfg(not(loom))]
const CHUNKS: usize = 26;

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

/// The chunk of a node, and its position there. In the first chunk, consecutive nodes are on different
/// cache lines, so that senders to different handles do not share a line (false sharing).
#[cfg(not(loom))]
#[inline]
fn locate(index: u32) -> (usize, usize) {
    const PER_LINE: usize = 64 / size_of::<Node>();
    const LINES: usize = FIRST / PER_LINE;
    let index = index as usize;
    if index < FIRST {
        return (0, index % LINES * PER_LINE + index / LINES);
    }
    let position = index + FIRST;
    let chunk = (position.ilog2() - FIRST.ilog2()) as usize;
    (chunk, position - (FIRST << chunk))
}

/// Two nodes are enough for the model checker.
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

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn each_index_has_its_own_node() {
        let mut locations: Vec<_> = (0..4 * FIRST as u32).map(locate).collect();
        for (chunk, position) in &locations {
            assert!(*position < FIRST << chunk);
        }
        locations.sort_unstable();
        locations.dedup();
        assert_eq!(locations.len(), 4 * FIRST);
    }
}
