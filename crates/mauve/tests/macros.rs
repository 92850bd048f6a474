//! `#[mauve::main]` and `#[mauve::test]`.

use std::cell::Cell;
use std::io;
use std::rc::Rc;
use std::time::Duration;

use mauve::{JoinError, Loop};

#[mauve::test]
async fn a_test_runs_on_a_loop() {
    let task = mauve::spawn(async { 6 * 7 });
    assert_eq!(task.await.unwrap(), 42);
}

#[mauve::test]
async fn a_test_may_return_a_result() -> Result<(), JoinError> {
    mauve::spawn(mauve::sleep(Duration::from_millis(1))).await
}

#[mauve::test]
#[should_panic(expected = "in the test")]
async fn a_panic_fails_the_test() {
    mauve::yield_now().await;
    panic!("in the test");
}

#[mauve::test]
#[ignore = "checks that the attribute is kept"]
async fn an_ignored_test_does_not_run() {
    panic!("it runs");
}

/// The crate by another name.
mod renamed {
    pub use mauve as loops;
}

#[mauve::test(crate = renamed::loops)]
async fn the_crate_may_have_another_name() {
    mauve::yield_now().await;
}

#[mauve::test(crate = "renamed::loops")]
async fn the_name_of_the_crate_may_be_a_string() {
    mauve::yield_now().await;
}

#[mauve::main]
async fn answer() -> io::Result<impl Into<u64>> {
    Ok(mauve::spawn(async { 42_u32 }).await?)
}

#[test]
fn main_may_have_any_name_and_output() {
    assert_eq!(answer().unwrap().into(), 42);
}

struct NotifyOnDrop(Rc<Cell<bool>>);

impl Drop for NotifyOnDrop {
    fn drop(&mut self) {
        self.0.set(true);
    }
}

#[mauve::main]
async fn leave_a_task() -> Rc<Cell<bool>> {
    let dropped = Rc::new(Cell::new(false));
    let guard = NotifyOnDrop(dropped.clone());
    drop(mauve::spawn(async {
        let _guard = guard;
        std::future::pending::<()>().await;
    }));
    mauve::yield_now().await;
    dropped
}

#[test]
fn tasks_that_still_run_are_dropped_at_the_end() {
    assert!(leave_a_task().get());
}

/// The line of the attribute below.
const LINE: u32 = line!() + 2;

#[mauve::main]
async fn locations() -> Vec<String> {
    let lp = Loop::current();
    lp.inventory().iter().map(ToString::to_string).collect()
}

#[test]
fn mauve_why_names_the_line_of_the_attribute() {
    let location = format!("{}:{LINE}:", file!());
    let locations = locations();
    assert!(
        locations.iter().any(|item| item.contains(&location)),
        "{location} is not in {locations:?}"
    );
}
