//! Work with bare system calls, on one eventfd and one epoll for each thread: what the machine allows.

use std::io::Result;
use std::os::fd::OwnedFd;
use std::thread;

use rustix::event::epoll::{self, CreateFlags, Event, EventData, EventFlags};
use rustix::event::{EventfdFlags, eventfd};

use crate::{Sample, Stopwatch};

/// Does the work of the group `name`.
pub fn run(name: &str) -> std::result::Result<Vec<Sample>, String> {
    match name {
        "async" => ping_pong("async ping-pong", 50_000)
            .map(|sample| vec![sample])
            .map_err(|error| format!("{name}: {error}")),
        _ => Err(format!("no such group: {name}")),
    }
}

/// One side: where it is woken, and how it waits for that. Edge-triggered, so that nothing has to be
/// read.
struct Side {
    bell: OwnedFd,
    poll: OwnedFd,
}

impl Side {
    fn new() -> Result<Self> {
        let bell = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        let poll = epoll::create(CreateFlags::CLOEXEC)?;
        epoll::add(&poll, &bell, EventData::new_u64(0), EventFlags::IN | EventFlags::ET)?;
        Ok(Self { bell, poll })
    }

    fn ring(&self) -> Result<()> {
        rustix::io::write(&self.bell, &1_u64.to_ne_bytes())?;
        Ok(())
    }

    fn wait(&self, events: &mut Vec<Event>) -> Result<()> {
        events.clear();
        while events.is_empty() {
            match epoll::wait(&self.poll, rustix::buffer::spare_capacity(events), None) {
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }
}

fn ping_pong(name: &str, count: usize) -> Result<Sample> {
    let (here, there) = (Side::new()?, Side::new()?);
    let play = |own: &Side, other: &Side| {
        let mut events = Vec::with_capacity(8);
        for _ in 0..count / 2 {
            own.wait(&mut events)?;
            other.ring()?;
        }
        Ok(())
    };
    thread::scope(|scope| {
        let watch = Stopwatch::start();
        here.ring()?;
        let other = scope.spawn(|| play(&there, &here));
        play(&here, &there)?;
        other.join().expect("no panic").map(|()| watch.per(name, count))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_catches_as_often_as_they_throw() {
        assert!(ping_pong("few", 100).unwrap().cpu > 0.0);
        assert!(run("juggling").unwrap_err().contains("juggling"));
    }
}
