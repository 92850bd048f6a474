//! The memory of a runtime. Arenas are slots of large chunks.
//!
//! QuickJS allocates its objects in arenas of at most 4 KiB. If `malloc` provided them, the first use of
//! each would be a page fault, and a script that fills 160 MB would spend a third of its time on 40,000 of
//! them. The pages of a chunk are requested all at once. Blocks of other sizes come from `malloc`.

use std::alloc::Layout;
use std::mem::MaybeUninit;
use std::ptr::{self, NonNull};

use rquickjs::allocator::Allocator;
use rquickjs::{Result, Runtime};

/// Creates a runtime that gets the memory of its objects in large chunks.
///
/// ```
/// use rquickjs::Context;
///
/// let runtime = mauve_quickjs::new_runtime()?;
/// let odd: u32 = Context::full(&runtime)?.with(|ctx| {
///     ctx.eval("Array.from({ length: 50_000 }, (_, i) => ({ i })).filter((o) => o.i % 2).length")
/// })?;
/// assert_eq!(odd, 25_000);
/// # Ok::<(), rquickjs::Error>(())
/// ```
///
/// # Errors
/// If there is no memory left.
pub fn new_runtime() -> Result<Runtime> {
    Runtime::new_with_alloc(ChunkedHeap::default())
}

/// The size and the alignment of a chunk: a huge page of most processors, for kernels that use them
/// without being asked.
const CHUNK: Layout = match Layout::from_size_align(2 << 20, 2 << 20) {
    Ok(layout) => layout,
    Err(_) => unreachable!(),
};
/// The sizes of arenas. QuickJS requests few other blocks of these sizes; they are slots as well.
const ARENA_SIZES: std::ops::RangeInclusive<usize> = 3584..=4096;
/// What `malloc` aligns blocks to. Slots are aligned to half of it only, which tells them apart.
const ALIGNMENT: usize = 16;
/// The distance between two slots.
const SLOT: usize = 4096 + ALIGNMENT;
/// The offset of the first slot in a chunk. Before it is the number of the chunk.
const FIRST: usize = ALIGNMENT / 2;
const SLOTS: usize = (CHUNK.size() - FIRST) / SLOT;

const _: () = assert!(align_of::<libc::max_align_t>() == ALIGNMENT);
const _: () = assert!(size_of::<usize>() == FIRST && align_of::<usize>() == FIRST);

/// The allocator of a runtime.
#[derive(Default)]
struct ChunkedHeap {
    /// The chunks by their numbers. A number is vacant after its chunk was freed.
    chunks: Vec<Option<Chunk>>,
    /// The numbers of the chunks that have a free slot.
    with_free_slot: Vec<usize>,
    /// The number of chunks without a used slot: at most one, which is kept so that a script that frees
    /// and allocates one slot in turns does not free and allocate a chunk each time.
    unused: usize,
}

struct Chunk {
    memory: NonNull<u8>,
    free_slots: Vec<u16>,
}

impl Chunk {
    /// Allocates a chunk, with its pages if it is not the first one. Most scripts do not fill the first.
    fn new(number: usize) -> Option<Self> {
        // SAFETY: the size is not zero. The memory is not used before it is a slot, except for its number,
        // for which it is large enough and aligned.
        let memory = unsafe {
            let memory = NonNull::new(std::alloc::alloc(CHUNK))?;
            if number > 0 {
                let bytes = memory.cast::<MaybeUninit<u8>>();
                let mut bytes = NonNull::slice_from_raw_parts(bytes, CHUNK.size());
                mauve_sys::populate_memory(bytes.as_mut());
            }
            memory.cast::<usize>().write(number);
            memory
        };
        Some(Self { memory, free_slots: (0..SLOTS as u16).rev().collect() })
    }

    /// # Safety
    /// The slot is in a chunk that exists.
    unsafe fn number_of(slot: *mut u8) -> usize {
        // SAFETY: a chunk is aligned to its size, and starts with its number.
        unsafe { slot.map_addr(|address| address & !(CHUNK.size() - 1)).cast::<usize>().read() }
    }
}

impl Drop for Chunk {
    fn drop(&mut self) {
        // SAFETY: it was allocated with this layout. None of its slots is in use.
        unsafe { std::alloc::dealloc(self.memory.as_ptr(), CHUNK) };
    }
}

fn is_slot(block: *mut u8) -> bool {
    !block.addr().is_multiple_of(ALIGNMENT)
}

impl ChunkedHeap {
    fn take_slot(&mut self) -> Option<*mut u8> {
        let number = self.with_free_slot.last().copied().or_else(|| self.add_chunk())?;
        let chunk = self.chunks[number].as_mut()?;
        if chunk.free_slots.len() == SLOTS {
            self.unused -= 1;
        }
        let slot = chunk.free_slots.pop()?;
        if chunk.free_slots.is_empty() {
            self.with_free_slot.pop();
        }
        Some(chunk.memory.as_ptr().wrapping_add(FIRST + usize::from(slot) * SLOT))
    }

    /// # Safety
    /// The slot is one of `take_slot` of this heap, and is not used any more.
    unsafe fn free_slot(&mut self, slot: *mut u8) {
        // SAFETY: a chunk with a used slot exists.
        let number = unsafe { Chunk::number_of(slot) };
        let Some(chunk) = &mut self.chunks[number] else { return };
        let offset = slot.addr() - chunk.memory.addr().get();
        chunk.free_slots.push(((offset - FIRST) / SLOT) as u16);
        if chunk.free_slots.len() == 1 {
            self.with_free_slot.push(number);
        }
        if chunk.free_slots.len() == SLOTS {
            self.unused += 1;
            if self.unused > 1 {
                self.remove_chunk(number);
            }
        }
    }

    fn add_chunk(&mut self) -> Option<usize> {
        let vacant = self.chunks.iter().position(Option::is_none);
        let number = vacant.unwrap_or(self.chunks.len());
        let chunk = Chunk::new(number)?;
        if vacant.is_none() {
            self.chunks.push(None);
        }
        self.chunks[number] = Some(chunk);
        self.with_free_slot.push(number);
        self.unused += 1;
        Some(number)
    }

    fn remove_chunk(&mut self, number: usize) {
        self.chunks[number] = None;
        self.with_free_slot.retain(|other| *other != number);
        self.unused -= 1;
    }
}

// SAFETY: blocks have the requested size. Slots are aligned to the size of an address, blocks of `malloc`
// to twice as much.
unsafe impl Allocator for ChunkedHeap {
    fn alloc(&mut self, size: usize) -> *mut u8 {
        if ARENA_SIZES.contains(&size) {
            return self.take_slot().unwrap_or(ptr::null_mut());
        }
        // SAFETY: it has no requirements.
        unsafe { libc::malloc(size).cast() }
    }

    fn calloc(&mut self, count: usize, size: usize) -> *mut u8 {
        // SAFETY: it has no requirements.
        unsafe { libc::calloc(count, size).cast() }
    }

    unsafe fn dealloc(&mut self, block: *mut u8) {
        // SAFETY: the caller passes a block of this heap: a slot, or one of `malloc`.
        unsafe { if is_slot(block) { self.free_slot(block) } else { libc::free(block.cast()) } }
    }

    unsafe fn realloc(&mut self, block: *mut u8, size: usize) -> *mut u8 {
        // SAFETY: the caller passes a block of this heap. The sizes bound what is copied.
        unsafe {
            if !is_slot(block) {
                return libc::realloc(block.cast(), size).cast();
            }
            let usable = Self::usable_size(block);
            if size <= usable && size > 0 {
                return block;
            }
            let moved = libc::malloc(size).cast::<u8>();
            if !moved.is_null() {
                ptr::copy_nonoverlapping(block, moved, usable.min(size));
                self.free_slot(block);
            }
            moved
        }
    }

    unsafe fn usable_size(block: *mut u8) -> usize {
        if is_slot(block) {
            return SLOT - ALIGNMENT;
        }
        // SAFETY: the caller passes a block of this heap, and slots are excluded.
        unsafe { libc::malloc_usable_size(block.cast()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_distinct_and_chunks_are_freed() {
        let mut heap = ChunkedHeap::default();
        let mut slots: Vec<_> = (0..3 * SLOTS).map(|_| heap.alloc(4096)).collect();
        for (i, slot) in slots.iter().enumerate() {
            // SAFETY: a slot has this size.
            unsafe { slot.write_bytes(i as u8, 4096) };
        }
        for (i, slot) in slots.iter().enumerate() {
            // SAFETY: as above.
            let (first, last) = unsafe { (slot.read(), slot.add(4095).read()) };
            assert_eq!((first, last), (i as u8, i as u8));
        }
        assert_eq!(heap.chunks.iter().flatten().count(), 3);
        // In another order than they were allocated.
        slots.rotate_left(SLOTS / 2);
        for slot in slots {
            // SAFETY: a slot that is freed once.
            unsafe { heap.dealloc(slot) };
        }
        assert_eq!(heap.chunks.iter().flatten().count(), 1);
        assert_eq!((heap.with_free_slot.len(), heap.unused), (1, 1));
        let slot = heap.alloc(4096);
        assert_eq!(heap.unused, 0);
        // SAFETY: a slot that is freed once.
        unsafe { heap.dealloc(slot) };
    }

    #[test]
    fn a_block_keeps_its_contents_when_its_size_changes() {
        let mut heap = ChunkedHeap::default();
        // SAFETY: each block is used with its size, and freed once.
        unsafe {
            let block = heap.alloc(4000);
            block.write_bytes(7, 4000);
            let block = heap.realloc(block, 4096);
            assert!(is_slot(block));
            let block = heap.realloc(block, 10_000);
            assert!(!is_slot(block) && ChunkedHeap::usable_size(block) >= 10_000);
            assert_eq!((block.read(), block.add(3999).read()), (7, 7));
            heap.dealloc(block);
        }
    }
}
