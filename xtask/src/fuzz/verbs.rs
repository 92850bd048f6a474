//! The vocabulary of scripts: the kinds of handles, and the operations with their weights.
//!
//! Operations whose behaviour differs on purpose (docs/switching.md) are missing here or skipped by
//! the interpreter, with a comment that names the row.

/// A part of the API. A seed uses few areas, so that their operations interact often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Area {
    Loop,
    Timer,
    Hook,
    Async,
    Tcp,
    Pipe,
    Udp,
    Poll,
    Signal,
    Process,
    Work,
    Fs,
    FsEvent,
    FsPoll,
    Tty,
    Thread,
    Fork,
    Nested,
    Embed,
    Jump,
}

/// A kind of handle. Its name is the prefix of its `_init` verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Timer,
    Idle,
    Prepare,
    Check,
    Async,
    Tcp,
    Pipe,
    Udp,
    Poll,
    Signal,
    Process,
    FsEvent,
    FsPoll,
    Tty,
}

/// The type of a verb's parameter.
#[derive(Clone, Copy, Debug)]
pub enum Param {
    /// A handle of any kind.
    Any,
    /// A handle of one of these kinds.
    Of(&'static [Kind]),
    Loop,
    Routine,
    /// A number from 0 to this one.
    Number(usize),
}

/// An operation of the interpreter.
pub struct Verb {
    /// The verb is used if one of these areas is.
    pub areas: &'static [Area],
    pub weight: usize,
    pub name: &'static str,
    pub params: &'static [Param],
}

use Area::{
    Async, Embed, Fork, Fs, FsEvent, FsPoll, Hook, Jump, Loop, Nested, Pipe, Poll, Process, Signal,
    Tcp, Thread, Timer, Tty, Udp, Work,
};
use Param::{Any, Number, Of, Routine};

/// The longest timeout of a timer, in ticks. The interpreter's watchdog waits longer.
const TICKS: usize = 3;

const STREAMS: &[Kind] = &[Kind::Tcp, Kind::Pipe];

/// Streams that read and write. Terminals neither listen nor connect.
const ALL_STREAMS: &[Kind] = &[Kind::Tcp, Kind::Pipe, Kind::Tty];

const UDP: &[Kind] = &[Kind::Udp];
const POLL: &[Kind] = &[Kind::Poll];
const PROCESS: &[Kind] = &[Kind::Process];
const FS_EVENT: &[Kind] = &[Kind::FsEvent];
const FS_POLL: &[Kind] = &[Kind::FsPoll];
const TTY: &[Kind] = &[Kind::Tty];
const SIGNAL: &[Kind] = &[Kind::Signal];

const HOOKS: &[Kind] = &[Kind::Idle, Kind::Prepare, Kind::Check];

impl Area {
    pub const ALL: &[(&'static str, Self)] = &[
        ("loop", Loop),
        ("timer", Timer),
        ("hook", Hook),
        ("async", Async),
        ("tcp", Tcp),
        ("pipe", Pipe),
        ("udp", Udp),
        ("poll", Poll),
        ("signal", Signal),
        ("process", Process),
        ("work", Work),
        ("fs", Fs),
        ("fs_event", FsEvent),
        ("fs_poll", FsPoll),
        ("tty", Tty),
        ("thread", Thread),
        ("fork", Fork),
        ("nested", Nested),
        ("embed", Embed),
        ("jump", Jump),
    ];

    /// The kinds of handles of this area.
    pub fn kinds(self) -> &'static [Kind] {
        match self {
            Loop | Nested | Thread | Fork | Embed | Jump => &[],
            Timer => &[Kind::Timer],
            Hook => HOOKS,
            Async => &[Kind::Async],
            Tcp => &[Kind::Tcp],
            Pipe => &[Kind::Pipe],
            Udp => UDP,
            Poll => POLL,
            Signal => SIGNAL,
            Process => PROCESS,
            Work => &[Kind::Timer],
            Fs => &[Kind::Timer],
            FsEvent => FS_EVENT,
            FsPoll => FS_POLL,
            Tty => TTY,
        }
    }
}

impl Kind {
    /// The verb that initialises a handle, and its parameters after the handle and the loop.
    pub fn init(self) -> (&'static str, &'static [Param]) {
        match self {
            Self::Timer => ("timer_init", &[]),
            Self::Idle => ("idle_init", &[]),
            Self::Prepare => ("prepare_init", &[]),
            Self::Check => ("check_init", &[]),
            Self::Async => ("async_init", &[Routine]),
            Self::Tcp => ("tcp_init", &[]),
            Self::Pipe => ("pipe_init", &[Number(1)]),
            Self::Udp => ("udp_init", &[]),
            Self::Poll => ("poll_init", &[]),
            Self::Signal => ("signal_init", &[]),
            Self::Process => ("spawn", &[Number(4), Routine]),
            Self::FsEvent => ("fs_event_init", &[]),
            Self::FsPoll => ("fs_poll_init", &[]),
            Self::Tty => ("tty_init", &[]),
        }
    }
}

const fn verb(
    areas: &'static [Area],
    weight: usize,
    name: &'static str,
    params: &'static [Param],
) -> Verb {
    Verb { areas, weight, name, params }
}

/// All verbs except those that initialise handles.
pub const VERBS: &[Verb] = &[
    verb(&[Loop], 6, "run", &[Param::Loop, Number(2)]),
    verb(&[Embed], 8, "embed", &[Param::Loop]),
    verb(&[Loop], 2, "stop", &[Param::Loop]),
    verb(&[Loop], 1, "alive", &[Param::Loop]),
    verb(&[Loop], 2, "timeout", &[Param::Loop]),
    verb(&[Loop], 1, "update", &[Param::Loop]),
    verb(&[Loop], 1, "now", &[Param::Loop]),
    verb(&[Loop], 1, "tick", &[]),
    verb(&[Loop], 1, "walk", &[Param::Loop]),
    verb(&[Loop], 1, "walk_close", &[Param::Loop, Routine]),
    verb(&[Loop], 1, "loop_close", &[Param::Loop]),
    verb(&[Loop], 1, "loop_init", &[Param::Loop]),
    verb(&[Loop], 5, "close", &[Any, Routine]),
    verb(&[Loop], 2, "ref", &[Any]),
    verb(&[Loop], 3, "unref", &[Any]),
    verb(&[Loop], 1, "state", &[Any]),
    verb(&[Nested], 6, "run_again", &[Param::Loop, Number(2)]),
    verb(&[Timer], 10, "timer_start", &[Of(&[Kind::Timer]), Number(TICKS), Number(2), Routine]),
    verb(&[Timer], 3, "timer_stop", &[Of(&[Kind::Timer])]),
    verb(&[Timer], 2, "timer_again", &[Of(&[Kind::Timer])]),
    verb(&[Timer], 1, "timer_repeat", &[Of(&[Kind::Timer]), Number(2)]),
    verb(&[Timer], 1, "timer_due", &[Of(&[Kind::Timer])]),
    verb(&[Hook], 10, "hook_start", &[Of(HOOKS), Routine]),
    verb(&[Hook], 4, "hook_stop", &[Of(HOOKS)]),
    verb(&[Async], 8, "async_send", &[Of(&[Kind::Async])]),
    verb(&[Async], 2, "async_send_from_thread", &[Of(&[Kind::Async])]),
    verb(&[Tcp, Pipe], 4, "listen", &[Of(STREAMS), Routine]),
    verb(&[Tcp, Pipe], 5, "accept", &[Of(STREAMS), Of(STREAMS)]),
    verb(&[Tcp, Pipe], 5, "connect", &[Of(STREAMS), Of(STREAMS), Routine]),
    verb(&[Tcp, Pipe, Tty], 7, "read_start", &[Of(ALL_STREAMS), Number(3), Routine]),
    verb(&[Tcp, Pipe, Tty], 3, "read_stop", &[Of(ALL_STREAMS)]),
    verb(&[Tcp, Pipe, Tty], 9, "write", &[Of(ALL_STREAMS), Number(4), Routine]),
    verb(&[Tcp, Pipe, Tty], 4, "try_write", &[Of(ALL_STREAMS), Number(4)]),
    verb(&[Tcp, Pipe, Tty], 3, "shutdown", &[Of(ALL_STREAMS), Routine]),
    verb(&[Tcp, Pipe, Tty], 2, "stream_state", &[Of(ALL_STREAMS)]),
    verb(&[Tty], 5, "tty_mode", &[Of(TTY), Number(3)]),
    verb(&[Tty], 1, "tty_size", &[Of(TTY)]),
    verb(&[Tty], 8, "tty_type", &[Of(TTY)]),
    verb(&[Tty], 2, "tty_output", &[Of(TTY)]),
    verb(&[Tty], 1, "tty_hang_up", &[Of(TTY)]),
    verb(&[Tcp], 2, "tcp_close_reset", &[Of(&[Kind::Tcp]), Routine]),
    verb(&[Pipe], 5, "pair", &[Of(&[Kind::Pipe]), Of(&[Kind::Pipe])]),
    verb(&[Pipe], 3, "write_handle", &[Of(&[Kind::Pipe]), Of(STREAMS), Routine]),
    verb(&[Pipe], 1, "pending", &[Of(&[Kind::Pipe])]),
    verb(&[Pipe], 3, "receive", &[Of(&[Kind::Pipe]), Of(STREAMS)]),
    verb(&[Udp], 5, "udp_bind", &[Of(UDP)]),
    verb(&[Udp], 2, "udp_connect", &[Of(UDP), Of(UDP)]),
    verb(&[Udp], 1, "udp_disconnect", &[Of(UDP)]),
    verb(&[Udp], 6, "recv_start", &[Of(UDP), Number(2), Routine]),
    verb(&[Udp], 2, "recv_stop", &[Of(UDP)]),
    verb(&[Udp], 9, "send", &[Of(UDP), Of(UDP), Number(2), Routine]),
    verb(&[Udp], 4, "try_send", &[Of(UDP), Of(UDP), Number(2)]),
    verb(&[Poll], 8, "poll_start", &[Of(POLL), Number(7), Routine]),
    verb(&[Poll], 3, "poll_stop", &[Of(POLL)]),
    verb(&[Poll], 4, "poll_poke", &[Of(POLL)]),
    verb(&[Poll], 2, "poll_drain", &[Of(POLL)]),
    verb(&[Poll], 1, "poll_hang_up", &[Of(POLL)]),
    verb(&[Signal], 6, "signal_start", &[Of(SIGNAL), Number(2), Routine]),
    verb(&[Signal], 2, "signal_start_oneshot", &[Of(SIGNAL), Number(2), Routine]),
    verb(&[Signal], 3, "signal_stop", &[Of(SIGNAL)]),
    verb(&[Signal], 6, "raise", &[Number(2)]),
    verb(&[Process], 5, "process_kill", &[Of(PROCESS), Number(3)]),
    verb(&[Work], 6, "work", &[Param::Loop, Routine]),
    verb(&[Work], 2, "pool_block", &[Param::Loop, Routine]),
    verb(&[Work], 3, "pool_unblock", &[]),
    verb(&[Work], 2, "random", &[Param::Loop, Routine]),
    verb(&[Work], 2, "getaddrinfo", &[Param::Loop, Routine, Number(1)]),
    verb(&[Work], 2, "getnameinfo", &[Param::Loop, Routine]),
    verb(&[Work], 3, "cancel", &[Number(2)]),
    verb(&[Fs], 12, "fs", &[Param::Loop, Number(16), Number(3), Routine]),
    verb(&[Fs, FsEvent], 8, "fs_sync", &[Param::Loop, Number(16), Number(3)]),
    verb(&[FsEvent], 5, "fs_event_start", &[Of(FS_EVENT), Number(4), Routine]),
    verb(&[FsEvent], 2, "fs_event_stop", &[Of(FS_EVENT)]),
    verb(&[FsEvent], 1, "fs_event_path", &[Of(FS_EVENT)]),
    verb(&[FsPoll], 8, "fs_poll_start", &[Of(FS_POLL), Number(1), Number(2), Routine]),
    verb(&[FsPoll], 2, "fs_poll_stop", &[Of(FS_POLL)]),
    verb(&[FsPoll], 1, "fs_poll_path", &[Of(FS_POLL)]),
    verb(&[FsPoll], 8, "file_grow", &[Number(1)]),
    verb(&[FsPoll], 3, "file_remove", &[Number(1)]),
    verb(&[Jump], 5, "jump", &[]),
    verb(&[Thread], 6, "run_in_thread", &[Param::Loop, Number(2), Routine]),
    verb(&[Thread], 6, "run_together", &[Param::Loop, Number(5), Routine, Routine]),
    verb(&[Fork], 4, "fork", &[Routine]),
    verb(&[Fork], 4, "loop_fork", &[Param::Loop]),
];
