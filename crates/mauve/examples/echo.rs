//! An echo server with closures. Try it with `nc 127.0.0.1 7000`.
//!
//! `cargo run -p mauve --example echo`

use mauve::{Loop, Result, RunMode, Tcp};

/// Above this much unsent data a connection is not read from, until its peer has caught up.
const HIGH_WATER: usize = 1 << 20;

/// What all callbacks share.
#[derive(Default)]
struct Stats {
    connections: u64,
    bytes: u64,
}

fn main() -> Result<()> {
    let lp = Loop::<Stats>::new()?;
    let server = Tcp::new(&lp);
    server.bind("127.0.0.1:7000".parse().expect("an address"))?;
    server.listen(128, |stats, _, connection| match connection {
        Ok(peer) => {
            stats.connections += 1;
            println!("connection {} from {:?}", stats.connections, peer.peer_addr());
            serve(&peer);
        }
        Err(error) => eprintln!("accept: {error}"),
    })?;
    println!("listening on {}", server.local_addr()?);
    lp.run_with(&mut Stats::default(), RunMode::Default)?;
    Ok(())
}

/// Sends back what comes, no faster than the peer takes it.
fn serve(peer: &Tcp<Stats>) {
    let reading = peer.read_start(|stats, peer, data| match data {
        Ok(Some(bytes)) => {
            stats.bytes += bytes.len() as u64;
            let again = peer.clone();
            let written = peer.write(bytes, move |_, result| match result {
                Ok(()) if !again.is_active() && again.write_queue_size() == 0 => serve(&again),
                Ok(()) => {}
                Err(_) => again.close(),
            });
            if written.is_err() {
                peer.close();
            } else if peer.write_queue_size() > HIGH_WATER {
                peer.read_stop();
            }
        }
        Ok(None) | Err(_) => {
            println!("gone; {} bytes echoed so far", stats.bytes);
            peer.close();
        }
    });
    if reading.is_err() {
        peer.close();
    }
}
