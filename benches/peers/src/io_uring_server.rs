//! An echo server that uses io_uring directly, as a lower bound of the cost.
//!
//! Accept and receive are multishot. The kernel selects receive buffers from a buffer ring. A
//! buffer is sent in place, and returned to the ring when it was sent.

use std::io::{Error, Result};
use std::net::TcpListener;
use std::os::fd::AsRawFd as _;
use std::sync::atomic::{AtomicU16, Ordering};

use io_uring::types::{BufRingEntry, Fd};
use io_uring::{IoUring, cqueue, opcode, squeue};
use mauve_bench::server::{Service, any_port, ready};

const ENTRIES: u32 = 2048;
const BUFFER_GROUP: u16 = 7;
/// Number of buffers, a power of two.
const BUFFERS: u16 = 1024;
const SIZE: usize = 64 << 10;

/// The operation of a completion, in the lowest byte of its user data.
#[derive(Clone, Copy)]
enum Operation {
    Accept = 0,
    Receive = 1,
    Send = 2,
    Close = 3,
}

/// Serves until it is killed.
pub fn serve(service: Service) -> Result<()> {
    if !matches!(service, Service::TcpEcho | Service::Sink) {
        return Err(Error::other("the io_uring server supports tcp-echo and sink only"));
    }
    let listener = TcpListener::bind(any_port())?;
    let ring = IoUring::builder()
        .setup_single_issuer()
        .setup_defer_taskrun()
        .setup_cqsize(ENTRIES * 4)
        .build(ENTRIES)?;
    let mut server = Server { ring, buffers: Buffers::new(), echoes: service == Service::TcpEcho };
    server.register()?;
    ready(listener.local_addr()?);
    let accept = opcode::AcceptMulti::new(Fd(listener.as_raw_fd())).build();
    server.push(accept, Operation::Accept, 0, 0)?;
    loop {
        server.run_once()?;
    }
}

struct Server {
    ring: IoUring,
    buffers: Buffers,
    echoes: bool,
}

impl Server {
    fn register(&mut self) -> Result<()> {
        let address = self.buffers.ring.as_ptr() as u64;
        // SAFETY: the buffer ring is a separate allocation that is never freed.
        unsafe {
            self.ring.submitter().register_buf_ring_with_flags(address, BUFFERS, BUFFER_GROUP, 0)?
        };
        for buffer in 0..BUFFERS {
            self.buffers.recycle(buffer);
        }
        Ok(())
    }

    /// Waits for completions and handles them.
    fn run_once(&mut self) -> Result<()> {
        self.ring.submit_and_wait(1)?;
        let completions: Vec<cqueue::Entry> = self.ring.completion().collect();
        for entry in completions {
            let data = entry.user_data();
            let (fd, buffer) = ((data >> 8) as u32 as i32, (data >> 40) as u16);
            match data & 0xff {
                0 => self.accepted(entry.result())?,
                1 => self.received(fd, &entry)?,
                2 => self.buffers.recycle(buffer),
                _ => {}
            }
        }
        Ok(())
    }

    fn accepted(&mut self, result: i32) -> Result<()> {
        if result < 0 {
            return Err(Error::from_raw_os_error(-result));
        }
        let on: libc::c_int = 1;
        // SAFETY: the option's value is an integer that lives during the call.
        unsafe {
            let (value, size) = ((&raw const on).cast(), size_of_val(&on) as libc::socklen_t);
            libc::setsockopt(result, libc::IPPROTO_TCP, libc::TCP_NODELAY, value, size);
        }
        self.receive(result)
    }

    fn receive(&mut self, fd: i32) -> Result<()> {
        self.push(opcode::RecvMulti::new(Fd(fd), BUFFER_GROUP).build(), Operation::Receive, fd, 0)
    }

    fn received(&mut self, fd: i32, entry: &cqueue::Entry) -> Result<()> {
        let count = entry.result();
        let Some(buffer) = cqueue::buffer_select(entry.flags()) else {
            if count == -libc::ENOBUFS {
                return self.receive(fd);
            }
            return self.push(opcode::Close::new(Fd(fd)).build(), Operation::Close, fd, 0);
        };
        if self.echoes {
            let bytes = self.buffers.address(buffer);
            let send = opcode::Send::new(Fd(fd), bytes, count.unsigned_abs())
                .flags(libc::MSG_WAITALL | libc::MSG_NOSIGNAL);
            self.push(send.build(), Operation::Send, fd, buffer)?;
        } else {
            self.buffers.recycle(buffer);
        }
        if cqueue::more(entry.flags()) { Ok(()) } else { self.receive(fd) }
    }

    fn push(
        &mut self,
        entry: squeue::Entry,
        operation: Operation,
        fd: i32,
        buffer: u16,
    ) -> Result<()> {
        let data = operation as u64 | u64::from(fd as u32) << 8 | u64::from(buffer) << 40;
        let entry = entry.user_data(data);
        // SAFETY: an entry points to a buffer of `Buffers`. Its memory is never freed, and it is
        // not reused before the kernel has sent it.
        while unsafe { self.ring.submission().push(&entry) }.is_err() {
            self.ring.submit()?;
        }
        Ok(())
    }
}

/// Receive buffers, and the ring that lists the free ones for the kernel.
struct Buffers {
    /// Page-aligned, as the kernel requires.
    ring: std::ptr::NonNull<BufRingEntry>,
    memory: std::ptr::NonNull<u8>,
    tail: u16,
}

impl Buffers {
    fn new() -> Self {
        Self {
            ring: pages(BUFFERS as usize * size_of::<BufRingEntry>()).cast(),
            memory: pages(BUFFERS as usize * SIZE),
            tail: 0,
        }
    }

    fn address(&self, buffer: u16) -> *const u8 {
        // SAFETY: the kernel returns only indices that were put into the ring, so the offset is in
        // bounds.
        unsafe { self.memory.as_ptr().add(buffer as usize * SIZE) }
    }

    fn recycle(&mut self, buffer: u16) {
        let address = self.address(buffer) as u64;
        let slot = (self.tail & (BUFFERS - 1)) as usize;
        // SAFETY: the slot is in bounds, and the kernel reads it only after the tail has passed it.
        // The tail is in the first entry, at its end, as the kernel's layout has it.
        unsafe {
            let entry = &mut *self.ring.as_ptr().add(slot);
            entry.set_addr(address);
            entry.set_len(SIZE as u32);
            entry.set_bid(buffer);
            self.tail = self.tail.wrapping_add(1);
            let tail = BufRingEntry::tail(self.ring.as_ptr()).cast::<AtomicU16>();
            (*tail).store(self.tail, Ordering::Release);
        }
    }
}

/// Allocates zeroed pages that are never freed.
fn pages(size: usize) -> std::ptr::NonNull<u8> {
    let layout = std::alloc::Layout::from_size_align(size, 4096).expect("a valid layout");
    // SAFETY: the size is not zero.
    let memory = unsafe { std::alloc::alloc_zeroed(layout) };
    std::ptr::NonNull::new(memory).unwrap_or_else(|| std::alloc::handle_alloc_error(layout))
}
