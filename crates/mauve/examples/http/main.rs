//! An HTTP server: hyper on mauve's loop. Try it with `curl http://127.0.0.1:7003/`.
//!
//! `cargo run -p mauve --example http`

mod server;

use std::io;

use mauve::Loop;
use mauve::net::TcpListener;

fn main() -> io::Result<()> {
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:7003".to_owned());
    let lp: Loop = Loop::new()?;
    lp.block_on(async {
        let listener = TcpListener::bind(address).await?;
        println!("listening on http://{}/", listener.local_addr()?);
        server::serve(listener).await
    })
}
