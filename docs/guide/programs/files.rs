//! Writes a file and reads it back.

use std::io;

use mauve::fs::{self, OpenOptions};

#[mauve::main]
async fn main() -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(true);
    let file = options.open("hello.txt").await?;
    println!("opened");
    file.write_at("hello, file", 0).await?;
    println!("wrote 11 bytes");
    println!("its size is {}", file.stat().await?.size);
    let bytes = file.read_at(64, 0).await?;
    println!("read {} bytes: {}", bytes.len(), String::from_utf8_lossy(&bytes));
    drop(file);
    let error = fs::read("missing").await.expect_err("there is no such file");
    println!("opening a missing file fails: {:?}", error.kind());
    fs::remove_file("hello.txt").await
}
