//! Work on the thread pool, awaited by a task of the loop.
//! env: UV_THREADPOOL_SIZE=4

use std::io;
use std::thread;

#[mauve::main]
async fn main() -> io::Result<()> {
    let here = thread::current().id();
    let jobs: Vec<_> = (1..=5u64)
        .map(|n| {
            mauve::spawn_blocking(move || {
                (thread::current().id() != here, (1..=n).product::<u64>())
            })
        })
        .collect();
    println!("five jobs are queued for {} threads", mauve::thread_pool_size());
    for (n, job) in (1..).zip(jobs) {
        let (elsewhere, product) = job.await?;
        println!(
            "{n}! = {product}, computed on {} thread",
            if elsewhere { "another" } else { "the loop's" }
        );
    }
    Ok(())
}
