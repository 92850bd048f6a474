//! A writer that is faster than its reader: a task that awaits its writes cannot run ahead.

use std::cell::Cell;
use std::io;
use std::rc::Rc;

use futures_lite::{AsyncReadExt as _, AsyncWriteExt as _};
use mauve::net::UnixStream;

const CHUNK: usize = 65536;
const CHUNKS: usize = 500;

#[mauve::main]
async fn main() -> io::Result<()> {
    let (mut writer, mut reader) = UnixStream::pair()?;
    let sent = Rc::new(Cell::new(0));
    let counter = sent.clone();
    let task = mauve::spawn(async move {
        for _ in 0..CHUNKS {
            writer.write_all(&[0; CHUNK]).await?;
            counter.set(counter.get() + CHUNK);
        }
        println!("the writer has written everything");
        io::Result::Ok(())
    });

    // The writer runs until the kernel takes no more.
    mauve::sleep(std::time::Duration::from_millis(20)).await;
    println!("before the first read it waits: {}", sent.get() < CHUNK * CHUNKS);
    let mut received = Vec::new();
    reader.read_to_end(&mut received).await?;
    task.await??;
    println!("every byte has arrived: {}", received.len() == CHUNK * CHUNKS);
    Ok(())
}
