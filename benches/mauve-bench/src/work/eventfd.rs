//! Wake-ups with one eventfd and one epoll instance per thread, as a lower bound of the cost.

use std::io::Result;
use std::os::fd::OwnedFd;
use std::thread;

use rustix::event::epoll::{self, CreateFlags, Event, EventData, EventFlags};
use rustix::event::{EventfdFlags, eventfd};

use crate::{Sample, Stopwatch};

/// Runs the workloads of the group `name`.
pub fn run(name: &str) -> std::result::Result<Vec<Sample>, String> {
    match name {
        "async" => ping_pong("async ping-pong", 50_000)
            .map(|sample| vec![sample])
            .map_err(|error| format!("{name}: {error}")),
        _ => Err(format!("no such group: {name}")),
    }
}

/// One side of the ping-pong. The eventfd is edge-triggered, so it is never read.
struct Side {
    eventfd: OwnedFd,
    poll: OwnedFd,
}

impl Side {
    fn new() -> Result<Self> {
        let eventfd = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        let poll = epoll::create(CreateFlags::CLOEXEC)?;
        epoll::add(&poll, &eventfd, EventData::new_u64(0), EventFlags::IN | EventFlags::ET)?;
        Ok(Self { eventfd, poll })
    }

    fn wake(&self) -> Result<()> {
        rustix::io::write(&self.eventfd, &1_u64.to_ne_bytes())?;
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
    let (first, second) = (Side::new()?, Side::new()?);
    let play = |own: &Side, other: &Side| {
        let mut events = Vec::with_capacity(8);
        for _ in 0..count / 2 {
            own.wait(&mut events)?;
            other.wake()?;
        }
        Ok(())
    };
    thread::scope(|scope| {
        let watch = Stopwatch::start();
        first.wake()?;
        let thread = scope.spawn(|| play(&second, &first));
        play(&first, &second)?;
        thread.join().expect("no panic").map(|()| watch.per(name, count))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_wake_each_other_equally_often() {
        assert!(ping_pong("few", 100).unwrap().cpu > 0.0);
        assert!(run("unknown").unwrap_err().contains("unknown"));
    }
}
