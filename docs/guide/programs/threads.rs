//! Threads send to a task of the loop through a channel of the standard library and a wake-up.

use std::sync::mpsc;
use std::thread;

use mauve::{Async, Loop, Result, RunMode};

fn main() -> Result<()> {
    let lp = Loop::<u32>::new()?;
    let (sender, receiver) = mpsc::channel();
    let wakeup = Async::new(&lp, move |sum, wakeup| {
        *sum += receiver.try_iter().sum::<u32>();
        if *sum == 10 {
            wakeup.close();
        }
    });
    for number in 1..=4 {
        let (sender, wakeup) = (sender.clone(), wakeup.sender());
        thread::spawn(move || {
            sender.send(number).expect("the loop receives");
            let _ = wakeup.send();
        });
    }
    let mut sum = 0;
    lp.run_with(&mut sum, RunMode::Default)?;
    println!("the sum of what four threads sent is {sum}");
    Ok(())
}
