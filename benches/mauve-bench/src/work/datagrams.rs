//! Datagrams in one direction, with segmentation offload (GSO and GRO).
//!
//! The sender sends to a socket that is never read, and the receiver's socket is filled before its
//! measurement. So each side is measured alone.

use std::net::SocketAddr;
use std::time::Duration;

use mauve::{Loop, Result, RunMode, Udp};

use crate::server::any_port;
use crate::{Sample, cpu};

const SIZE: u16 = 64;
const BURST: usize = 64;
const BURSTS: usize = 2000;

pub(super) fn run() -> Result<Vec<Sample>> {
    Ok(vec![send()?, receive()?])
}

fn send() -> Result<Sample> {
    let lp = Loop::<usize>::new()?;
    let (udp, unread) = (Udp::new(&lp), Udp::new(&lp));
    udp.bind(any_port())?;
    unread.bind(any_port())?;
    // Otherwise the kernel splits the segments, and charges that to the sender.
    unread.set_receive_offload(true)?;
    let to = unread.local_addr()?;
    let watch = crate::Stopwatch::start();
    for _ in 0..BURSTS {
        send_burst(&udp, to)?;
    }
    Ok(watch.per("udp send, 64 at a time", BURST * BURSTS))
}

fn receive() -> Result<Sample> {
    let lp = Loop::<usize>::new()?;
    let (from, to) = (Udp::new(&lp), Udp::new(&lp));
    from.bind(any_port())?;
    to.bind(any_port())?;
    to.set_receive_offload(true)?;
    to.recv_start(|received, _, datagram| {
        *received += datagram.expect("a datagram").segments().count();
    })?;
    let address = to.local_addr()?;
    let (mut received, mut spent) = (0, Duration::ZERO);
    for burst in 1..=BURSTS {
        send_burst(&from, address)?;
        let before = cpu::own();
        while received < burst * BURST {
            lp.run_with(&mut received, RunMode::NoWait)?;
        }
        spent += cpu::own() - before;
    }
    let mut sample = Sample::of("udp receive, 64 at a time", spent, Duration::ZERO, BURST * BURSTS);
    sample.wall = None;
    Ok(sample)
}

fn send_burst(udp: &Udp<usize>, to: SocketAddr) -> Result<()> {
    let burst = [b'm'; SIZE as usize * BURST];
    let sent = udp.try_send_segmented(&burst, to, SIZE)?;
    assert_eq!(sent, burst.len(), "bytes of a burst");
    Ok(())
}
