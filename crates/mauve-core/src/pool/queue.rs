//! The jobs that wait for a thread.
//!
//! Two lanes, both first in, first out. Slow jobs (name resolution) may occupy half the threads
//! at most, so that they cannot keep file work waiting. Jobs stand in an array and are linked by
//! index: submitting and cancelling allocate nothing once the array has grown.

const NONE: u32 = u32::MAX;

/// Which jobs compete with which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// Everything that ends soon: computing, file operations.
    Normal,
    /// Work that waits for somebody else, such as name resolution.
    Slow,
}

/// Names a queued job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket {
    index: u32,
    generation: u32,
}

pub(super) struct Queue<T> {
    slots: Vec<Slot<T>>,
    free: u32,
    normal: List,
    slow: List,
    slow_running: usize,
    slow_limit: usize,
    /// Counts the jobs: the order of arrival across both lanes.
    arrivals: u64,
}

struct Slot<T> {
    job: Option<T>,
    lane: Lane,
    arrival: u64,
    generation: u32,
    before: u32,
    after: u32,
}

#[derive(Clone, Copy)]
struct List {
    first: u32,
    last: u32,
}

impl<T> Queue<T> {
    pub fn new(slow_limit: usize) -> Self {
        let empty = List { first: NONE, last: NONE };
        Self {
            slots: Vec::new(),
            free: NONE,
            normal: empty,
            slow: empty,
            slow_running: 0,
            slow_limit,
            arrivals: 0,
        }
    }

    pub fn push(&mut self, lane: Lane, job: T) -> Ticket {
        self.arrivals += 1;
        let arrival = self.arrivals;
        let index = match self.free {
            NONE => {
                let slot =
                    Slot { job: None, lane, arrival, generation: 0, before: NONE, after: NONE };
                self.slots.push(slot);
                self.slots.len() as u32 - 1
            }
            index => {
                self.free = self.slots[index as usize].after;
                index
            }
        };
        let last = self.list(lane).last;
        let slot = &mut self.slots[index as usize];
        (slot.job, slot.lane, slot.arrival) = (Some(job), lane, arrival);
        (slot.before, slot.after) = (last, NONE);
        let ticket = Ticket { index, generation: slot.generation };
        match last {
            NONE => self.list(lane).first = index,
            last => self.slots[last as usize].after = index,
        }
        self.list(lane).last = index;
        ticket
    }

    /// The next job that may run.
    pub fn pop(&mut self) -> Option<(Lane, T)> {
        let lane = self.next_lane()?;
        if lane == Lane::Slow {
            self.slow_running += 1;
        }
        let first = self.list(lane).first;
        Some((lane, self.remove(first)))
    }

    /// Whether there is a job that may run.
    pub fn has_work(&self) -> bool {
        self.next_lane().is_some()
    }

    pub fn slow_job_ended(&mut self) {
        self.slow_running -= 1;
    }

    /// Takes back a job that was not popped.
    pub fn cancel(&mut self, ticket: Ticket) -> Option<T> {
        let slot = self.slots.get(ticket.index as usize)?;
        let queued = slot.generation == ticket.generation && slot.job.is_some();
        queued.then(|| self.remove(ticket.index))
    }

    /// The lane whose first job has waited longest, of those that may run.
    fn next_lane(&self) -> Option<Lane> {
        let arrival = |index: u32| self.slots.get(index as usize).map(|slot| slot.arrival);
        let normal = arrival(self.normal.first);
        let may_run = self.slow_running < self.slow_limit;
        let slow = arrival(self.slow.first).filter(|_| may_run);
        match (normal, slow) {
            (None, None) => None,
            (Some(_), None) => Some(Lane::Normal),
            (None, Some(_)) => Some(Lane::Slow),
            (Some(normal), Some(slow)) => {
                Some(if normal < slow { Lane::Normal } else { Lane::Slow })
            }
        }
    }

    fn remove(&mut self, index: u32) -> T {
        let free = std::mem::replace(&mut self.free, index);
        let slot = &mut self.slots[index as usize];
        let (lane, before, after) = (slot.lane, slot.before, slot.after);
        slot.generation = slot.generation.wrapping_add(1);
        slot.after = free;
        let job = slot.job.take().expect("a queued job");
        match before {
            NONE => self.list(lane).first = after,
            before => self.slots[before as usize].after = after,
        }
        match after {
            NONE => self.list(lane).last = before,
            after => self.slots[after as usize].before = before,
        }
        job
    }

    fn list(&mut self, lane: Lane) -> &mut List {
        match lane {
            Lane::Normal => &mut self.normal,
            Lane::Slow => &mut self.slow,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_leave_in_order_of_arrival_across_the_lanes() {
        let mut queue = Queue::new(8);
        queue.push(Lane::Normal, 'a');
        queue.push(Lane::Slow, 'b');
        queue.push(Lane::Normal, 'c');
        let order: String = std::iter::from_fn(|| queue.pop()).map(|(_, job)| job).collect();
        assert_eq!(order, "abc");
    }

    #[test]
    fn slow_jobs_leave_the_other_half_of_the_threads_alone() {
        let mut queue = Queue::new(1);
        queue.push(Lane::Slow, 'a');
        queue.push(Lane::Slow, 'b');
        queue.push(Lane::Normal, 'c');
        assert_eq!(queue.pop(), Some((Lane::Slow, 'a')));
        assert_eq!(queue.pop(), Some((Lane::Normal, 'c')));
        assert_eq!(queue.pop(), None);
        queue.slow_job_ended();
        assert_eq!(queue.pop(), Some((Lane::Slow, 'b')));
    }

    #[test]
    fn a_job_is_cancelled_once_and_only_while_it_is_queued() {
        let mut queue = Queue::new(1);
        let a = queue.push(Lane::Normal, 'a');
        let b = queue.push(Lane::Normal, 'b');
        let c = queue.push(Lane::Normal, 'c');
        assert_eq!(queue.cancel(b), Some('b'));
        assert_eq!(queue.cancel(b), None);
        assert_eq!(queue.pop(), Some((Lane::Normal, 'a')));
        assert_eq!(queue.cancel(a), None);
        let d = queue.push(Lane::Normal, 'd');
        assert_eq!(queue.cancel(a), None);
        assert_eq!(queue.cancel(c), Some('c'));
        assert_eq!(queue.cancel(d), Some('d'));
        assert!(!queue.has_work());
    }
}
