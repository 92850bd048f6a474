//! The queue of jobs.
//!
//! Normal jobs start in the order of their arrival. Slow jobs (name resolution) are in a queue of
//! their own, which has one entry, its *turn*, in the queue of normal jobs. When the turn reaches the
//! head, the first slow job starts. The turn moves to the end if there are more, or if half the
//! threads run slow jobs already. So slow jobs cannot delay file operations for long. libuv has the same order.
//!
//! Blocking jobs (long computations of the Rust API) are in a third queue, apart from the others and
//! with threads of their own, so that file operations never wait for them. libuv has no such queue.
//!
//! The queues are ring buffers sorted by arrival. A cancelled job is found by binary search, and
//! leaves a gap that is skipped. So neither submitting nor cancelling allocates once the buffer has
//! grown, and a long queue is read sequentially.

use std::collections::VecDeque;

/// The class of a job, which decides on its queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// Computation and file operations.
    Normal,
    /// Work that waits for the network, such as name resolution.
    Slow,
    /// Work of any duration, which no other lane waits for.
    Blocking,
}

/// Identifies a queued job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket {
    lane: Lane,
    arrival: Arrival,
}

/// Position of an entry in the queue: the order of arrival across the lanes. It wraps
/// around, which is safe with fewer than 2^32 entries.
type Arrival = u32;

impl Ticket {
    /// The ticket of a later job that was [reserved](Queue::reserve) together with this one.
    pub fn later(self, number: u32) -> Self {
        Self { arrival: self.arrival.wrapping_add(number), ..self }
    }
}

pub(super) struct Queue<T> {
    normal: VecDeque<(Arrival, Entry<T>)>,
    /// How many of the entries are jobs.
    normal_jobs: usize,
    /// The first is never a gap.
    slow: VecDeque<(Arrival, Option<T>)>,
    /// The first is never a gap.
    blocking: VecDeque<(Arrival, Option<T>)>,
    /// Whether the slow jobs have a turn among the normal ones.
    has_turn: bool,
    slow_running: usize,
    slow_limit: usize,
    arrivals: Arrival,
}

impl<T> Default for Queue<T> {
    fn default() -> Self {
        Self {
            normal: VecDeque::new(),
            normal_jobs: 0,
            slow: VecDeque::new(),
            blocking: VecDeque::new(),
            has_turn: false,
            slow_running: 0,
            slow_limit: 0,
            arrivals: 0,
        }
    }
}

enum Entry<T> {
    Job(T),
    /// A job that was cancelled.
    Gap,
    /// The turn of the slow jobs.
    SlowTurn,
}

impl<T> Queue<T> {
    /// Sets how many slow jobs may run at a time.
    pub fn limit_slow_jobs(&mut self, limit: usize) {
        self.slow_limit = limit;
    }

    #[inline]
    pub fn push(&mut self, lane: Lane, job: T) -> Ticket {
        let arrival = self.arrive();
        match lane {
            Lane::Normal => {
                self.normal.push_back((arrival, Entry::Job(job)));
                self.normal_jobs += 1;
            }
            Lane::Slow => {
                self.slow.push_back((arrival, Some(job)));
                if !self.has_turn {
                    self.give_turn();
                }
            }
            Lane::Blocking => self.blocking.push_back((arrival, Some(job))),
        }
        Ticket { lane, arrival }
    }

    /// The first ticket of `count` jobs that start now without being queued, and may have to be
    /// [put back](Self::put_back). No queued job [can start](Self::has_work) before them.
    #[inline]
    pub fn reserve(&mut self, count: usize) -> Ticket {
        debug_assert!(!self.has_work());
        let arrival = self.arrivals;
        self.arrivals = arrival.wrapping_add(count as Arrival);
        if !self.normal.is_empty() {
            // Only gaps, and a turn that cannot be used.
            self.normal.clear();
            if self.has_turn {
                self.give_turn();
            }
        }
        Ticket { lane: Lane::Normal, arrival }
    }

    /// The next blocking job.
    pub fn pop_blocking(&mut self) -> Option<T> {
        let (_, job) = self.blocking.pop_front()?;
        skip_gaps(&mut self.blocking);
        job
    }

    /// Whether a blocking job is queued.
    #[inline]
    pub fn has_blocking(&self) -> bool {
        !self.blocking.is_empty()
    }

    /// The number of queued blocking jobs, including cancelled ones among them.
    pub fn blocking_len(&self) -> usize {
        self.blocking.len()
    }

    /// The next normal or slow job that may start.
    #[inline]
    pub fn pop(&mut self) -> Option<(Lane, T)> {
        loop {
            match self.normal.pop_front()?.1 {
                Entry::Job(job) => {
                    self.normal_jobs -= 1;
                    return Some((Lane::Normal, job));
                }
                Entry::Gap => {}
                Entry::SlowTurn => match self.pop_slow() {
                    Some(job) => return Some((Lane::Slow, job)),
                    None if self.normal_jobs == 0 => return None,
                    None => {}
                },
            }
        }
    }

    /// Uses the turn of the slow jobs, which has reached the head of the queue. It moves to the end if
    /// too many slow jobs run, or if there are more.
    #[cold]
    fn pop_slow(&mut self) -> Option<T> {
        let may_start = self.slow_running < self.slow_limit;
        let job = if may_start { self.slow.pop_front().and_then(|(_, job)| job) } else { None };
        skip_gaps(&mut self.slow);
        self.slow_running += usize::from(job.is_some());
        self.has_turn = false;
        if !self.slow.is_empty() {
            self.give_turn();
        }
        job
    }

    /// Returns a normal job to its position. Jobs are put back in reverse order, before another one
    /// is popped.
    pub fn put_back(&mut self, ticket: Ticket, job: T) {
        debug_assert!(ticket.lane == Lane::Normal);
        self.normal.push_front((ticket.arrival, Entry::Job(job)));
        self.normal_jobs += 1;
    }

    /// Whether there is a normal or slow job that may start.
    #[inline]
    pub fn has_work(&self) -> bool {
        self.normal_jobs > 0 || !self.slow.is_empty() && self.slow_running < self.slow_limit
    }

    pub fn slow_job_ended(&mut self) {
        self.slow_running -= 1;
    }

    /// Removes a job that was not popped.
    pub fn cancel(&mut self, ticket: Ticket) -> Option<T> {
        match ticket.lane {
            Lane::Normal => {
                let index = find(&self.normal, ticket.arrival)?;
                self.cancel_at(index)
            }
            Lane::Slow => cancel_in(&mut self.slow, ticket.arrival),
            Lane::Blocking => cancel_in(&mut self.blocking, ticket.arrival),
        }
    }

    /// Removes the first normal job that meets the condition.
    pub fn cancel_first(&mut self, condition: impl Fn(&T) -> bool) -> Option<T> {
        let meets = |(_, entry): &_| matches!(entry, Entry::Job(job) if condition(job));
        let index = self.normal.iter().position(meets)?;
        self.cancel_at(index)
    }

    fn cancel_at(&mut self, index: usize) -> Option<T> {
        let entry = &mut self.normal[index].1;
        if let Entry::Gap | Entry::SlowTurn = entry {
            return None;
        }
        self.normal_jobs -= 1;
        let cancelled = std::mem::replace(entry, Entry::Gap);
        while let Some((_, Entry::Gap)) = self.normal.front() {
            self.normal.pop_front();
        }
        match cancelled {
            Entry::Job(job) => Some(job),
            Entry::Gap | Entry::SlowTurn => None,
        }
    }

    fn arrive(&mut self) -> Arrival {
        let arrival = self.arrivals;
        self.arrivals = arrival.wrapping_add(1);
        arrival
    }

    fn give_turn(&mut self) {
        let arrival = self.arrive();
        self.normal.push_back((arrival, Entry::SlowTurn));
        self.has_turn = true;
    }
}

/// Cancels a job of a queue without turns.
fn cancel_in<T>(jobs: &mut VecDeque<(Arrival, Option<T>)>, arrival: Arrival) -> Option<T> {
    let index = find(jobs, arrival)?;
    let job = jobs[index].1.take();
    skip_gaps(jobs);
    job
}

fn skip_gaps<T>(jobs: &mut VecDeque<(Arrival, Option<T>)>) {
    while let Some((_, None)) = jobs.front() {
        jobs.pop_front();
    }
}

/// The index of the entry with this arrival. Compares distances from the first entry, so that
/// wrapped numbers are in order.
fn find<E>(entries: &VecDeque<(Arrival, E)>, arrival: Arrival) -> Option<usize> {
    let (first, _) = *entries.front()?;
    let wanted = arrival.wrapping_sub(first);
    entries.binary_search_by_key(&wanted, |(arrival, _)| arrival.wrapping_sub(first)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue<T>(slow_limit: usize) -> Queue<T> {
        Queue { slow_limit, ..Queue::default() }
    }

    #[test]
    fn jobs_start_in_order_of_arrival_across_the_lanes() {
        let mut queue = self::queue(8);
        queue.push(Lane::Normal, 'a');
        queue.push(Lane::Slow, 'b');
        queue.push(Lane::Normal, 'c');
        let order: String = std::iter::from_fn(|| queue.pop()).map(|(_, job)| job).collect();
        assert_eq!(order, "abc");
    }

    #[test]
    fn slow_jobs_have_one_turn_among_the_others() {
        let order = |lanes: &str| {
            let mut queue = self::queue(8);
            for (index, lane) in lanes.chars().enumerate() {
                queue.push(if lane == 's' { Lane::Slow } else { Lane::Normal }, index);
            }
            let order: Vec<_> = std::iter::from_fn(|| queue.pop()).map(|(_, job)| job).collect();
            assert!(!queue.has_work());
            order
        };
        // As libuv's pool of one thread.
        assert_eq!(order("ssn"), [0, 2, 1]);
        assert_eq!(order("nnssns"), [0, 1, 2, 4, 3, 5]);
        assert_eq!(order("nsnsnsn"), [0, 1, 2, 4, 6, 3, 5]);
        assert_eq!(order("nsssnnn"), [0, 1, 4, 5, 6, 2, 3]);
    }

    #[test]
    fn a_turn_that_cannot_be_used_moves_to_the_end() {
        let mut queue = self::queue(1);
        for (lane, job) in [(Lane::Slow, 'a'), (Lane::Slow, 'b'), (Lane::Normal, 'c')] {
            queue.push(lane, job);
        }
        queue.push(Lane::Normal, 'd');
        assert_eq!(queue.pop(), Some((Lane::Slow, 'a')));
        assert_eq!(queue.pop(), Some((Lane::Normal, 'c')));
        queue.push(Lane::Normal, 'e');
        // The turn came before `e` when `a` was started.
        assert_eq!(queue.pop(), Some((Lane::Normal, 'd')));
        assert_eq!(queue.pop(), Some((Lane::Normal, 'e')));
        assert_eq!(queue.pop(), None);
        assert!(!queue.has_work());
        let first = queue.reserve(1);
        let last = queue.push(Lane::Normal, 'g');
        queue.put_back(first, 'f');
        queue.slow_job_ended();
        assert_eq!(queue.pop(), Some((Lane::Normal, 'f')));
        assert_eq!(queue.pop(), Some((Lane::Slow, 'b')));
        assert_eq!(queue.cancel(last), Some('g'));
        assert_eq!(queue.pop(), None);
    }

    #[test]
    fn slow_jobs_use_at_most_half_of_the_threads() {
        let mut queue = self::queue(1);
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
        let mut queue = self::queue(1);
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
    fn jobs_that_are_put_back_are_the_next_and_can_be_cancelled() {
        let mut queue = self::queue(8);
        let a = queue.reserve(2);
        let b = a.later(1);
        queue.push(Lane::Normal, 'c');
        queue.push(Lane::Slow, 'd');
        queue.put_back(b, 'b');
        queue.put_back(a, 'a');
        assert_eq!([queue.cancel(b), queue.cancel(b)], [Some('b'), None]);
        let order: String = std::iter::from_fn(|| queue.pop()).map(|(_, job)| job).collect();
        assert_eq!(order, "acd");
    }

    #[test]
    fn the_first_job_that_meets_a_condition_is_cancelled() {
        let mut queue = self::queue(8);
        for job in ['a', 'b', 'c', 'b'] {
            queue.push(Lane::Normal, job);
        }
        assert_eq!(queue.cancel_first(|job| *job == 'b'), Some('b'));
        assert_eq!(queue.cancel_first(|job| *job == 'd'), None);
        let order: String = std::iter::from_fn(|| queue.pop()).map(|(_, job)| job).collect();
        assert_eq!(order, "acb");
    }

    #[test]
    fn blocking_jobs_are_apart_from_the_others() {
        let mut queue = self::queue(8);
        queue.push(Lane::Blocking, 'a');
        let b = queue.push(Lane::Blocking, 'b');
        queue.push(Lane::Normal, 'c');
        let d = queue.push(Lane::Blocking, 'd');
        assert_eq!(queue.pop(), Some((Lane::Normal, 'c')));
        assert_eq!(queue.pop(), None);
        assert!(!queue.has_work() && queue.has_blocking());
        assert_eq!([queue.cancel(b), queue.cancel(b)], [Some('b'), None]);
        assert_eq!(queue.pop_blocking(), Some('a'));
        assert_eq!(queue.cancel(d), Some('d'));
        assert!(!queue.has_blocking());
        assert_eq!(queue.pop_blocking(), None);
    }

    #[test]
    fn arrival_numbers_may_wrap() {
        let mut queue = self::queue(8);
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
