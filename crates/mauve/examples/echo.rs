//! An echo server with callbacks. Try it with `nc 127.0.0.1 7000`.
//!
//! `cargo run -p mauve --example echo`

use mauve::{Loop, Result, RunMode, Tcp};

/// Reading pauses while more bytes than this are queued for writing.
const HIGH_WATER: usize = 1 << 20;

/// The state of all callbacks.
#[derive(Default)]
struct Stats {
    connections: u64,
    bytes: u64,
}

fn main() -> Result<()> {
    let lp = Loop::<Stats>::new()?;
    let server = Tcp::new(&lp);
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:7000".to_owned());
    server.bind(address.parse().expect("an address"))?;
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

/// Echoes bytes, and stops reading while the peer does not keep up.
fn serve(peer: &Tcp<Stats>) {
    let started = peer.read_start(|stats, peer, data| match data {
        Ok(Some(bytes)) => {
            stats.bytes += bytes.len() as u64;
            let written = peer.write_with(bytes, |_, peer, result| match result {
                Ok(()) if !peer.is_active() && peer.write_queue_size() == 0 => serve(peer),
                Ok(()) => {}
                Err(_) => peer.close(),
            });
            if written.is_err() {
                peer.close();
            } else if peer.write_queue_size() > HIGH_WATER {
                peer.read_stop();
            }
        }
        Ok(None) | Err(_) => {
            println!("disconnected; {} bytes echoed so far", stats.bytes);
            peer.close();
        }
    });
    if started.is_err() {
        peer.close();
    }
}
