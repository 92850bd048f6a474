//! The memory of a runtime, in large chunks.
//!
//! QuickJS allocates its objects in arenas of at most 4 KiB, which it obtains from the allocator of the
//! runtime. With `malloc`, the first use of each arena is a page fault, and a script that fills a heap of
//! 100 MB spends a quarter of its time on 25,000 of them. The allocator here takes the arenas from chunks
//! of 2 MiB, and requests one huge page for each chunk, or all of its pages at once. Other blocks come
//! from `malloc`.

use std::ffi::c_void;
use std::ptr::{self, NonNull};
use std::time::{Duration, Instant};

use rquickjs::allocator::Allocator;
use rquickjs::{Result, Runtime};

/// Creates a runtime that allocates its objects in large chunks, and in huge pages where the kernel has
/// them.
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

/// The size and the alignment of a chunk: a huge page of most processors with pages of 4 KiB. Where huge
/// pages have another size, a chunk consists of ordinary pages.
const CHUNK: usize = 2 << 20;
/// A huge page that takes longer is not worth it: the kernel has to move others first, or a virtual
/// machine has to get the memory from its host. Ordinary pages of a chunk take about a millisecond.
const SLOW: Duration = Duration::from_millis(1);
/// The sizes of arenas. QuickJS requests few other blocks of these sizes; they are served the same way.
const ARENA_SIZES: std::ops::RangeInclusive<usize> = 3584..=4096;
/// The distance between two slots, a multiple of [`ALIGNMENT`].
const SLOT: usize = 4096 + ALIGNMENT;
/// What `malloc` aligns blocks to. Slots are aligned to half of it only, which tells them apart.
const ALIGNMENT: usize = 16;
/// The offset of the first slot in a chunk. The header is before it.
const FIRST: usize = 64 + ALIGNMENT / 2;
const SLOTS: usize = (CHUNK - FIRST) / SLOT;

const _: () = assert!(align_of::<libc::max_align_t>() == ALIGNMENT);
const _: () = assert!(size_of::<Chunk>() <= FIRST && FIRST % ALIGNMENT == align_of::<usize>());

/// The start of a chunk.
struct Chunk {
    /// The neighbours in the list of the chunks that have a free slot.
    previous: *mut Chunk,
    next: *mut Chunk,
    /// The first slot that has been freed, which contains the address of the next one.
    freed: *mut c_void,
    /// The number of slots in use.
    used: usize,
    /// The number of slots that have been in use. The others have never been touched.
    touched: usize,
}

/// The allocator of a runtime.
#[derive(Default)]
struct ChunkedHeap {
    /// The chunks that have a free slot.
    first: Option<NonNull<Chunk>>,
    /// An empty chunk that is kept, so that a program that frees and allocates a slot in turns does not
    /// map and unmap a chunk each time.
    spare: Option<NonNull<Chunk>>,
    pages: Pages,
}

/// How the pages of the next chunk are requested.
#[derive(Clone, Copy, Default)]
enum Pages {
    /// Each by its first use. This is for the first chunk, which most scripts do not fill.
    #[default]
    OnUse,
    Huge,
    /// All at once, because a huge page was slow.
    AtOnce,
}

fn is_slot(block: *mut u8) -> bool {
    !(block as usize).is_multiple_of(ALIGNMENT)
}

impl ChunkedHeap {
    fn take_slot(&mut self) -> *mut u8 {
        let Some(chunk) = self.first.or_else(|| self.add_chunk()) else {
            return ptr::null_mut();
        };
        // SAFETY: chunks in the list are mapped, and have a free slot: one that has been freed, whose
        // first bytes are the address of the next one, or one that has never been used.
        unsafe {
            let header = &mut *chunk.as_ptr();
            let slot = if header.freed.is_null() {
                header.touched += 1;
                chunk.as_ptr().cast::<u8>().add(FIRST + (header.touched - 1) * SLOT)
            } else {
                let slot = header.freed;
                header.freed = slot.cast::<*mut c_void>().read();
                slot.cast()
            };
            header.used += 1;
            if header.used == SLOTS {
                self.unlink(chunk);
            }
            slot
        }
    }

    /// # Safety
    /// The slot comes from `take_slot` of this heap, and is not used any more.
    unsafe fn free_slot(&mut self, slot: *mut u8) {
        // SAFETY: the slot is in a mapped chunk, which starts at a multiple of its size. The slot is big
        // enough for an address, and aligned for it.
        unsafe {
            let chunk = slot.map_addr(|address| address & !(CHUNK - 1)).cast::<Chunk>();
            let header = &mut *chunk;
            slot.cast::<*mut c_void>().write(header.freed);
            header.freed = slot.cast();
            header.used -= 1;
            let chunk = NonNull::new_unchecked(chunk);
            if header.used == SLOTS - 1 {
                self.link(chunk);
            }
            if header.used == 0 {
                self.unlink(chunk);
                if let Some(old) = self.spare.replace(chunk) {
                    libc::munmap(old.as_ptr().cast(), CHUNK);
                }
            }
        }
    }

    /// Adds a chunk to the empty list.
    fn add_chunk(&mut self) -> Option<NonNull<Chunk>> {
        let chunk = self.spare.take().or_else(|| self.map_chunk())?;
        // SAFETY: the chunk is mapped, is in no list, and has a free slot.
        unsafe { self.link(chunk) };
        Some(chunk)
    }

    /// # Safety
    /// The chunk is mapped, and not in the list.
    unsafe fn link(&mut self, chunk: NonNull<Chunk>) {
        let next = self.first.replace(chunk).map_or(ptr::null_mut(), NonNull::as_ptr);
        // SAFETY: chunks in the list are mapped.
        unsafe {
            (*chunk.as_ptr()).previous = ptr::null_mut();
            (*chunk.as_ptr()).next = next;
            if !next.is_null() {
                (*next).previous = chunk.as_ptr();
            }
        }
    }

    /// # Safety
    /// The chunk is in the list.
    unsafe fn unlink(&mut self, chunk: NonNull<Chunk>) {
        // SAFETY: chunks in the list are mapped.
        unsafe {
            let Chunk { previous, next, .. } = *chunk.as_ptr();
            if previous.is_null() {
                self.first = NonNull::new(next);
            } else {
                (*previous).next = next;
            }
            if !next.is_null() {
                (*next).previous = previous;
            }
        }
    }

    /// Maps a chunk. Its header is zero, which is the state of an empty one.
    fn map_chunk(&mut self) -> Option<NonNull<Chunk>> {
        let chunk = map_aligned()?;
        let advise = |advice| {
            // SAFETY: the chunk is mapped, and not in use. Both requests may fail, and then the pages come
            // by their first use.
            unsafe { libc::madvise(chunk.as_ptr().cast(), CHUNK, advice) };
        };
        match self.pages {
            Pages::OnUse => self.pages = Pages::Huge,
            Pages::Huge => {
                advise(libc::MADV_HUGEPAGE);
                let begin = Instant::now();
                // SAFETY: the chunk is mapped, and not in use.
                unsafe { chunk.as_ptr().cast::<u8>().write_volatile(0) };
                if begin.elapsed() > SLOW {
                    self.pages = Pages::AtOnce;
                }
            }
            Pages::AtOnce => advise(libc::MADV_POPULATE_WRITE),
        }
        Some(chunk)
    }
}

/// Maps memory at a multiple of its size.
fn map_aligned() -> Option<NonNull<Chunk>> {
    let (protection, flags) =
        (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: new memory is mapped, and only parts of it are unmapped: those before and after the first
    // aligned chunk in it.
    unsafe {
        let start = libc::mmap(ptr::null_mut(), 2 * CHUNK, protection, flags, -1, 0);
        if start == libc::MAP_FAILED {
            return None;
        }
        let before = start.cast::<u8>().align_offset(CHUNK);
        let chunk = start.cast::<u8>().add(before);
        if before > 0 {
            libc::munmap(start, before);
        }
        if before < CHUNK {
            libc::munmap(chunk.add(CHUNK).cast(), CHUNK - before);
        }
        NonNull::new(chunk.cast())
    }
}

impl Drop for ChunkedHeap {
    fn drop(&mut self) {
        if let Some(chunk) = self.spare {
            // SAFETY: the chunk is mapped, and none of its slots is in use.
            unsafe { libc::munmap(chunk.as_ptr().cast(), CHUNK) };
        }
    }
}

// SAFETY: blocks have the requested size. Slots are aligned to the size of an address, blocks of `malloc`
// to twice as much.
unsafe impl Allocator for ChunkedHeap {
    fn alloc(&mut self, size: usize) -> *mut u8 {
        if ARENA_SIZES.contains(&size) {
            return self.take_slot();
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
            if block.is_null() || !is_slot(block) {
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
