//! Looks up an address and a service, on the thread pool.

use std::io;

use mauve::Errno;
use mauve::dns::lookup_host;

#[mauve::main]
async fn main() -> io::Result<()> {
    for address in lookup_host("127.0.0.1", "80").await? {
        println!("address {}, port {}", address.ip(), address.port());
    }
    let error = lookup_host("", "80").await.expect_err("there is no name");
    println!("without a name: {}", Errno::from(error));
    Ok(())
}
