//! A chat room: every message is sent to all clients. Try it with several `nc 127.0.0.1 7001`.
//!
//! `cargo run -p mauve --example chat`

use std::collections::HashMap;

use mauve::{Loop, Result, RunMode, Tcp};

/// The clients in the room. All callbacks share this state, without a lock or an `Rc`.
#[derive(Default)]
struct Room {
    clients: HashMap<u32, Tcp<Room>>,
    connections: u32,
}

impl Room {
    fn broadcast(&mut self, text: &str) {
        print!("{text}");
        for peer in self.clients.values() {
            // A failed connection is removed when its read ends.
            let _ = peer.write(text);
        }
    }
}

fn main() -> Result<()> {
    let lp = Loop::<Room>::new()?;
    let server = Tcp::new(&lp);
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:7001".to_owned());
    server.bind(address.parse().expect("an address"))?;
    server.listen(128, |room, _, connection| {
        let Ok(peer) = connection else { return };
        room.connections += 1;
        let number = room.connections;
        room.clients.insert(number, peer.clone());
        room.broadcast(&format!("* guest {number} joined\n"));
        let started = peer.read_start(move |room, peer, data| match data {
            Ok(Some(bytes)) => {
                let text = String::from_utf8_lossy(bytes);
                room.broadcast(&format!("guest {number}: {}\n", text.trim_end()));
            }
            Ok(None) | Err(_) => {
                room.clients.remove(&number);
                peer.close();
                room.broadcast(&format!("* guest {number} left\n"));
            }
        });
        if started.is_err() {
            room.clients.remove(&number);
            peer.close();
        }
    })?;
    println!("listening on {}", server.local_addr()?);
    lp.run_with(&mut Room::default(), RunMode::Default)?;
    Ok(())
}
