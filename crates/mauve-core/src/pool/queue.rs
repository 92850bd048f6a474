//! The jobs that wait for a thread.
//!
//! Two lanes, both first in, first out. Slow jobs (name resolution) may occupy half the threads
//! at most, so that they cannot keep file work waiting. Each lane is a ring buffer, sorted by
//! arrival: a cancelled job is found by searching it, and leaves a gap that is passed over. So
//! neither submitting nor cancelling allocates once the buffer has grown, and a long queue is
//! walked through in the order of its memory.

use std::collections::VecDeque;

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
    lane: Lane,
    arrival: Arrival,
}

/// The how-manieth job of the queue it is: the order of arrival across both lanes. The queue would
/// have to be four billion jobs long for two of them to be the same.
type Arrival = u32;

pub(super) struct Queue<T> {
    normal: Waiting<T>,
    slow: Waiting<T>,
    slow_running: usize,
    slow_limit: usize,
    arrivals: Arrival,
}

/// The jobs of a lane and their arrivals. The first is never a gap.
type Waiting<T> = VecDeque<(Arrival, Option<T>)>;

impl<T> Queue<T> {
    pub fn new(slow_limit: usize) -> Self {
        let (normal, slow) = (Waiting::new(), Waiting::new());
        Self { normal, slow, slow_running: 0, slow_limit, arrivals: 0 }
    }

    #[inline]
    pub fn push(&mut self, lane: Lane, job: T) -> Ticket {
        let arrival = self.arrivals;
        self.arrivals = arrival.wrapping_add(1);
        self.waiting(lane).push_back((arrival, Some(job)));
        Ticket { lane, arrival }
    }

    /// The next job that may run.
    #[inline]
    pub fn pop(&mut self) -> Option<(Lane, T)> {
        let lane = self.next_lane()?;
        if lane == Lane::Slow {
            self.slow_running += 1;
        }
        let waiting = self.waiting(lane);
        let (_, job) = waiting.pop_front()?;
        skip_gaps(waiting);
        job.map(|job| (lane, job))
    }

    /// Whether there is a job that may run.
    #[inline]
    pub fn has_work(&self) -> bool {
        self.next_lane().is_some()
    }

    pub fn slow_job_ended(&mut self) {
        self.slow_running -= 1;
    }

    /// Takes back a job that was not popped.
    pub fn cancel(&mut self, ticket: Ticket) -> Option<T> {
        let waiting = self.waiting(ticket.lane);
        let (first, _) = *waiting.front()?;
        // Counted from the first, so that it does not matter if the numbers have begun anew.
        let place = |arrival: Arrival| arrival.wrapping_sub(first);
        let wanted = place(ticket.arrival);
        let index = waiting.binary_search_by_key(&wanted, |(arrival, _)| place(*arrival)).ok()?;
        let job = waiting[index].1.take();
        skip_gaps(waiting);
        job
    }

    /// The lane whose first job has waited longest, of those that may run.
    #[inline]
    fn next_lane(&self) -> Option<Lane> {
        let may_run = self.slow_running < self.slow_limit;
        match (self.normal.front(), self.slow.front().filter(|_| may_run)) {
            (None, None) => None,
            (Some(_), None) => Some(Lane::Normal),
            (None, Some(_)) => Some(Lane::Slow),
            (Some((normal, _)), Some((slow, _))) => {
                let age = |arrival: &Arrival| self.arrivals.wrapping_sub(*arrival);
                Some(if age(normal) > age(slow) { Lane::Normal } else { Lane::Slow })
            }
        }
    }

    #[inline]
    fn waiting(&mut self, lane: Lane) -> &mut Waiting<T> {
        match lane {
            Lane::Normal => &mut self.normal,
            Lane::Slow => &mut self.slow,
        }
    }
}

#[inline]
fn skip_gaps<T>(waiting: &mut Waiting<T>) {
    while let Some((_, None)) = waiting.front() {
        waiting.pop_front();
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

    #[test]
    fn the_count_of_arrivals_may_begin_anew() {
        let mut queue = Queue::new(8);
        queue.arrivals = Arrival::MAX - 1;
        queue.push(Lane::Normal, 'a');
        let b = queue.push(Lane::Normal, 'b');
        queue.push(Lane::Slow, 'c');
        let d = queue.push(Lane::Normal, 'd');
        queue.push(Lane::Normal, 'e');
        assert_eq!(
            [queue.cancel(d), queue.cancel(b), queue.cancel(d)],
            [Some('d'), Some('b'), None]
        );
        let order: String = std::iter::from_fn(|| queue.pop()).map(|(_, job)| job).collect();
        assert_eq!(order, "ace");
    }
}
