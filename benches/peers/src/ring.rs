//! An echo server that makes bare use of io_uring: what the machine allows the other way.
//!
//! Accepting and receiving are multishot, receiving into a ring of buffers that the kernel picks
//! from; a buffer is sent from where it was received, and given back when it has been sent.

use std::io::{Error, Result};
use std::net::TcpListener;
use std::os::fd::AsRawFd as _;
use std::sync::atomic::{AtomicU16, Ordering};

use io_uring::types::{BufRingEntry, Fd};
use io_uring::{IoUring, cqueue, opcode, squeue};
use mauve_bench::server::{Service, anywhere, ready};

const ENTRIES: u32 = 2048;
const GROUP: u16 = 7;
/// A power of two.
const BUFFERS: u16 = 1024;
const SIZE: usize = 64 << 10;

/// What a completion belongs to: an operation, a descriptor, and a buffer.
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
        return Err(Error::other("the bare io_uring server echoes or reads TCP"));
    }
    let listener = TcpListener::bind(anywhere())?;
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
        server.turn()?;
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
        // SAFETY: the ring of buffers is memory of its own that lives as long as the server, which
        // is as long as the process.
        unsafe { self.ring.submitter().register_buf_ring_with_flags(address, BUFFERS, GROUP, 0)? };
        for buffer in 0..BUFFERS {
            self.buffers.give_back(buffer);
        }
        Ok(())
    }

    fn turn(&mut self) -> Result<()> {
        self.ring.submit_and_wait(1)?;
        let done: Vec<cqueue::Entry> = self.ring.completion().collect();
        for entry in done {
            let data = entry.user_data();
            let (fd, buffer) = ((data >> 8) as u32 as i32, (data >> 40) as u16);
            match data & 0xff {
                0 => self.accepted(entry.result())?,
                1 => self.received(fd, &entry)?,
                2 => self.buffers.give_back(buffer),
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
        self.push(opcode::RecvMulti::new(Fd(fd), GROUP).build(), Operation::Receive, fd, 0)
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
            self.buffers.give_back(buffer);
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
        // SAFETY: what an entry points to is a buffer of `Buffers`, which lives as long as the
        // process and is given back when the kernel has sent it.
        while unsafe { self.ring.submission().push(&entry) }.is_err() {
            self.ring.submit()?;
        }
        Ok(())
    }
}

/// Memory that the kernel receives into, and the ring that tells it which part is free.
struct Buffers {
    /// Page-aligned, as the kernel wants it.
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
        // SAFETY: the kernel only tells of buffers that were given to it.
        unsafe { self.memory.as_ptr().add(buffer as usize * SIZE) }
    }

    fn give_back(&mut self, buffer: u16) {
        let address = self.address(buffer) as u64;
        let slot = (self.tail & (BUFFERS - 1)) as usize;
        // SAFETY: the slot is in the ring, and the kernel looks at it only once the tail has passed
        // it. The tail is where the kernel has it: in the first entry, at its end.
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

/// Zeroed pages for the rest of the process's life.
fn pages(size: usize) -> std::ptr::NonNull<u8> {
    let layout = std::alloc::Layout::from_size_align(size, 4096).expect("a size of some pages");
    // SAFETY: the size is not zero.
    let memory = unsafe { std::alloc::alloc_zeroed(layout) };
    std::ptr::NonNull::new(memory).unwrap_or_else(|| std::alloc::handle_alloc_error(layout))
}
