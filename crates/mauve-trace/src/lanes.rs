//! The lanes of a trace: one for each loop, pool thread and other thread that takes part.
//!
//! The HTML page and the Trace Event JSON show the same lanes.

use crate::model::{LoopIndex, ThreadIndex, Trace};

/// What a lane shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The callbacks of a loop.
    Loop(LoopIndex),
    /// The jobs of a pool thread.
    Pool(ThreadIndex),
    /// The wake-ups and submissions of another thread.
    Thread(ThreadIndex),
}

/// A lane.
#[derive(Clone, Debug)]
pub(crate) struct Lane {
    pub role: Role,
    /// Position of its process.
    pub process: usize,
    /// The thread that it belongs to.
    pub thread: ThreadIndex,
    pub title: String,
    pub subtitle: String,
}

/// All lanes, in the order in which they are shown.
pub(crate) struct Lanes {
    pub list: Vec<Lane>,
    /// The lane of each thread that has one.
    of_thread: Vec<Option<usize>>,
}

impl Lanes {
    pub fn new(trace: &Trace) -> Self {
        let mut lanes = Self { list: Vec::new(), of_thread: vec![None; trace.threads.len()] };
        for lp in 0..trace.loops.len() {
            lanes.add(trace, Role::Loop(lp));
        }
        for (thread, activity) in activities(trace).into_iter().enumerate() {
            match activity {
                _ if lanes.of_thread[thread].is_some() => {}
                Activity::Jobs => lanes.add(trace, Role::Pool(thread)),
                Activity::Sends => lanes.add(trace, Role::Thread(thread)),
                Activity::None => {}
            }
        }
        lanes
    }

    fn add(&mut self, trace: &Trace, role: Role) {
        let thread = match role {
            Role::Loop(lp) => trace.loops[lp].thread,
            Role::Pool(thread) | Role::Thread(thread) => thread,
        };
        self.of_thread[thread].get_or_insert(self.list.len());
        let of = &trace.threads[thread];
        let mut subtitle = format!("tid {}", of.tid);
        if trace.processes.len() > 1 {
            subtitle += &format!(", pid {}", trace.processes[of.process].pid);
        }
        let title = match role {
            Role::Loop(lp) => {
                subtitle = format!("{}, {subtitle}", of.name);
                format!("Loop {}", trace.loops[lp].number)
            }
            Role::Pool(_) => {
                let before = self.list.iter().filter(|lane| {
                    matches!(lane.role, Role::Pool(_)) && lane.process == of.process
                });
                format!("Pool {}", before.count() + 1)
            }
            Role::Thread(_) => of.name.clone(),
        };
        self.list.push(Lane { role, process: of.process, thread, title, subtitle });
    }

    /// The lane of a loop: loops come first.
    pub fn of_loop(&self, lp: LoopIndex) -> usize {
        lp
    }

    /// The lane of a thread. A thread that runs loops has the lane of its first one.
    pub fn of_thread(&self, thread: ThreadIndex) -> Option<usize> {
        self.of_thread.get(thread).copied().flatten()
    }

    /// The lane where a thread did something for a loop: the loop's own, if the thread runs it.
    pub fn of_thread_for(
        &self,
        trace: &Trace,
        thread: ThreadIndex,
        lp: LoopIndex,
    ) -> Option<usize> {
        if trace.loops[lp].thread == thread {
            return Some(self.of_loop(lp));
        }
        self.of_thread(thread)
    }
}

/// What is known of a thread that runs no loop.
#[derive(Clone, Copy)]
enum Activity {
    None,
    Sends,
    Jobs,
}

fn activities(trace: &Trace) -> Vec<Activity> {
    let mut activities = vec![Activity::None; trace.threads.len()];
    for wakeup in &trace.wakeups {
        activities[wakeup.from] = Activity::Sends;
    }
    for request in &trace.requests {
        if let Activity::None = activities[request.submitter] {
            activities[request.submitter] = Activity::Sends;
        }
    }
    for job in trace.requests.iter().filter_map(|request| request.job) {
        activities[job.thread] = Activity::Jobs;
    }
    activities
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic;

    #[test]
    fn loops_and_pool_threads_have_lanes() {
        let trace = synthetic::trace(500);
        let lanes = Lanes::new(&trace);
        let titles: Vec<&str> = lanes.list.iter().map(|lane| lane.title.as_str()).collect();
        assert_eq!(titles, ["Loop 1", "Loop 2", "Pool 1", "Pool 2", "Pool 3", "Pool 4"]);
        assert_eq!(lanes.of_thread(1), Some(1));
        assert_eq!(lanes.of_thread(3), Some(3));
    }
}
