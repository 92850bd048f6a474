//! The engine on the driver of this system, with real sockets, threads and time.

use std::net::SocketAddr;
use std::time::Duration;

use mauve_core::handle::stream::{ReadOutcome, TcpBindFlags};
use mauve_core::pool::{Lane, Pool, Task};
use mauve_core::{Completion, Engine, HandleId, Mode, Token};
use mauve_sys::driver::Platform;
use mauve_sys::net::Address;
use mauve_sys::payload::Payload;
use mauve_sys::{Errno, clock};

use crate::harness::next_report;

const LISTENER: Token = Token(1);
const CLIENT: Token = Token(2);
const SERVER: Token = Token(3);
const CONNECT: Token = Token(4);
const WRITE: Token = Token(5);

fn engine() -> Engine<Platform> {
    Engine::new(Platform::new().unwrap(), Pool::new(1)).unwrap()
}

fn next(engine: &mut Engine<Platform>) -> Completion {
    next_report(engine, Mode::Default).expect("the loop is alive").event()
}

/// A listening socket and its address.
fn listen(engine: &mut Engine<Platform>) -> (HandleId, Address) {
    let id = engine.open_tcp(LISTENER);
    let mut stream = engine.stream(id).unwrap();
    let any = SocketAddr::from(([127, 0, 0, 1], 0)).into();
    stream.bind(&any, TcpBindFlags::default()).unwrap();
    stream.listen_tcp(8).unwrap();
    let address = stream.local_address().unwrap();
    (id, address)
}

#[test]
fn a_megabyte_is_echoed_over_a_connection() {
    const SIZE: usize = 1 << 20;
    let mut engine = engine();
    let (listener, address) = listen(&mut engine);
    let client = engine.open_tcp(CLIENT);
    engine.stream(client).unwrap().connect_tcp(CONNECT, &address).unwrap();
    let sent: Vec<u8> = (0..SIZE).map(|n| (n % 251) as u8).collect();
    let (mut server, mut received) = (None, Vec::new());
    let mut buffer = vec![0; 64 << 10];
    while received.len() < SIZE {
        match next(&mut engine) {
            Completion::Connect { token: CONNECT, result } => {
                assert_eq!(result, Ok(()));
                let mut stream = engine.stream(client).unwrap();
                stream.start_reading().unwrap();
                stream.write(WRITE, Payload::owned(sent.clone()), None).unwrap();
            }
            Completion::Connection { token: LISTENER, result } => {
                assert_eq!(result, Ok(()));
                let connection = engine.stream(listener).unwrap().take().unwrap();
                let id = *server.insert(engine.open_tcp(SERVER));
                let mut stream = engine.stream(id).unwrap();
                let fd = mauve_sys::descriptor::AsDescriptor::raw_descriptor(&connection.fd);
                let adopted = stream.open(fd, true, true).unwrap();
                stream.adopt_connection(connection, adopted).unwrap();
                stream.start_reading().unwrap();
            }
            Completion::Readable(SERVER) => {
                let mut stream = engine.stream(server.unwrap()).unwrap();
                if let ReadOutcome::Data(count) = stream.read(&mut buffer) {
                    let bytes = Payload::owned(buffer[..count].to_vec());
                    stream.write(WRITE, bytes, None).unwrap();
                }
            }
            Completion::Readable(CLIENT) => {
                match engine.stream(client).unwrap().read(&mut buffer) {
                    ReadOutcome::Data(count) => received.extend_from_slice(&buffer[..count]),
                    outcome => assert_eq!(outcome, ReadOutcome::WouldBlock),
                }
            }
            Completion::Write { result, .. } => assert_eq!(result, Ok(())),
            Completion::Writable(_) | Completion::Progress { .. } | Completion::Readable(_) => {}
            other => panic!("{other:?}"),
        }
    }
    assert!(received == sent, "other bytes were received");
    // The server reads the end of the client's bytes.
    engine.close_handle(client);
    loop {
        let outcome = match next(&mut engine) {
            Completion::Readable(SERVER) => {
                engine.stream(server.unwrap()).unwrap().read(&mut buffer)
            }
            Completion::ReadEnd(SERVER) => ReadOutcome::End,
            _ => ReadOutcome::WouldBlock,
        };
        if outcome == ReadOutcome::End {
            break;
        }
    }
}

#[test]
fn a_refused_connection_is_reported() {
    let mut engine = engine();
    let (listener, address) = listen(&mut engine);
    engine.close_handle(listener);
    while next_report(&mut engine, Mode::Default).is_some() {}
    let client = engine.open_tcp(CLIENT);
    engine.stream(client).unwrap().connect_tcp(CONNECT, &address).unwrap();
    let refused = Completion::Connect { token: CONNECT, result: Err(Errno::ECONNREFUSED) };
    assert_eq!(next(&mut engine), refused);
}

#[test]
fn a_thread_wakes_a_loop_that_is_parked_or_polls_a_socket() {
    for with_socket in [false, true] {
        let mut engine = engine();
        let id = engine.open_async(Token(9));
        if with_socket {
            listen(&mut engine);
        }
        let sender = engine.sender(id);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(20));
                sender.send().unwrap();
            });
            assert_eq!(next(&mut engine), Completion::Async(Token(9)));
        });
    }
}

#[test]
fn a_timer_is_not_due_early_and_the_pool_performs_work() {
    let mut engine = engine();
    let begin = clock::hrtime();
    let timer = engine.open_timer(Token(1));
    engine.timer(timer).unwrap().start(30, 0).unwrap();
    let task = Task::Run(Box::new(|| std::thread::sleep(Duration::from_millis(1))));
    engine.submit_work(Token(2), Lane::Normal, task).unwrap();
    let mut tokens = [(); 2].map(|()| next_report(&mut engine, Mode::Default).unwrap().token().0);
    tokens.sort_unstable();
    assert_eq!(tokens, [1, 2]);
    // The time of the loop was taken before the timer was started, and has milliseconds.
    assert!(clock::hrtime() - begin >= 28_000_000);
}
