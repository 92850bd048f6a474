//! A chat room: everybody hears what one says. Try it with several `nc 127.0.0.1 7001`.
//!
//! `cargo run -p mauve --example chat`

use std::collections::HashMap;

use mauve::{Loop, Result, RunMode, Tcp};

/// The people in the room. The callbacks share it; there is no lock and no `Rc`.
#[derive(Default)]
struct Room {
    people: HashMap<u32, Tcp<Room>>,
    arrivals: u32,
}

impl Room {
    fn tell_all(&mut self, text: &str) {
        print!("{text}");
        for peer in self.people.values() {
            // Who cannot hear any more is noticed when reading from him ends.
            let _ = peer.write(text.as_bytes(), |_, _| {});
        }
    }
}

fn main() -> Result<()> {
    let lp = Loop::<Room>::new()?;
    let server = Tcp::new(&lp);
    server.bind("127.0.0.1:7001".parse().expect("an address"))?;
    server.listen(128, |room, _, connection| {
        let Ok(peer) = connection else { return };
        room.arrivals += 1;
        let number = room.arrivals;
        room.people.insert(number, peer.clone());
        room.tell_all(&format!("* guest {number} has come\n"));
        let heard = peer.read_start(move |room, peer, data| match data {
            Ok(Some(bytes)) => {
                let text = String::from_utf8_lossy(bytes);
                room.tell_all(&format!("guest {number}: {}\n", text.trim_end()));
            }
            Ok(None) | Err(_) => {
                room.people.remove(&number);
                peer.close();
                room.tell_all(&format!("* guest {number} has left\n"));
            }
        });
        if heard.is_err() {
            room.people.remove(&number);
            peer.close();
        }
    })?;
    println!("listening on {}", server.local_addr()?);
    lp.run_with(&mut Room::default(), RunMode::Default)?;
    Ok(())
}
