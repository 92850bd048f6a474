//! Polls a pipe. A callback that leaves data behind is called again.

use std::io::{Read as _, Write as _};
use std::rc::Rc;

use mauve::{Interest, Loop, Poll, Result, RunMode};

fn main() -> Result<()> {
    let (reader, mut writer) = std::io::pipe()?;
    writer.write_all(b"abc")?;
    let mut writer = Some(writer);
    let reader = Rc::new(reader);
    let lp: Loop = Loop::new()?;
    Poll::new(&lp, reader.clone())?.start(Interest::READABLE, move |_, poll, _| {
        let mut byte = [0];
        let count = (&*reader).read(&mut byte).expect("it is readable");
        if count == 1 {
            println!("readable: one byte, {}", byte[0] as char);
            if byte[0] == b'c' {
                drop(writer.take());
            }
            return;
        }
        println!("readable: the end, read returns {count}");
        poll.close();
    })?;
    lp.run(RunMode::Default)?;
    Ok(())
}
