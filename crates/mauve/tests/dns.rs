//! Name resolution through the Rust API. Nothing here asks the network.

use std::net::SocketAddr;

use mauve::{Errno, Loop, RunMode, dns};

#[test]
fn an_address_in_digits_resolves_to_itself() {
    let lp: Loop = Loop::new().unwrap();
    let found = lp.block_on(async { dns::resolve("::1", "80").await });
    assert_eq!(found, Ok(vec!["[::1]:80".parse().unwrap()]));
}

#[test]
fn names_that_make_no_question_are_refused_in_both_forms() {
    let lp: Loop = Loop::new().unwrap();
    let long = "a".repeat(256);
    for host in ["", &long, "zero\0byte"] {
        assert_eq!(lp.block_on(async { dns::resolve(host, 0).await }), Err(Errno::EINVAL));
        let refused = lp.resolve(host, 0, |_, _| panic!("called")).map(drop);
        assert_eq!(refused, Err(Errno::EINVAL));
    }
    assert_eq!(lp.run(RunMode::Default), Ok(false));
}

#[test]
fn an_unknown_service_is_the_resolvers_error() {
    let lp: Loop = Loop::new().unwrap();
    let found = lp.block_on(async { dns::resolve("127.0.0.1", "no-such-service").await });
    assert_eq!(found, Err(Errno::EAI_SERVICE));
}

#[test]
fn several_questions_run_side_by_side() {
    let lp = Loop::<Vec<SocketAddr>>::new().unwrap();
    for port in 1..=20 {
        lp.resolve("127.0.0.1", port, |all, found| all.extend(found.unwrap())).unwrap();
    }
    let mut all = Vec::new();
    lp.run_with(&mut all, RunMode::Default).unwrap();
    all.sort();
    assert_eq!(all.iter().map(SocketAddr::port).collect::<Vec<_>>(), (1..=20).collect::<Vec<_>>());
}

#[test]
fn the_loopback_address_has_names() {
    let lp: Loop = Loop::new().unwrap();
    let names = lp.block_on(async { dns::reverse(([127, 0, 0, 1], 9999).into()).await }).unwrap();
    assert!(!names.host.is_empty());
    assert_eq!(names.service, "9999");
}

#[test]
fn a_dropped_lookup_does_no_harm() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async { drop(dns::resolve("127.0.0.1", 1)) });
    assert_eq!(lp.run(RunMode::Default), Ok(false));
    assert_eq!(lp.close(), Ok(()));
}

#[test]
fn hints_choose_the_family() {
    let lp = Loop::<Vec<SocketAddr>>::new().unwrap();
    // `AF_INET` has this number everywhere.
    let hints = dns::Hints { family: 2, ..dns::Hints::default() };
    lp.resolve_with("localhost", 7, hints, |found, answer| *found = answer.unwrap()).unwrap();
    let mut found = Vec::new();
    lp.run_with(&mut found, RunMode::Default).unwrap();
    assert!(!found.is_empty());
    assert!(found.iter().all(|address| address.is_ipv4() && address.port() == 7));
}

#[test]
fn a_name_can_be_required() {
    let lp = Loop::<Option<mauve::Result<dns::Names>>>::new().unwrap();
    lp.reverse_named("127.0.0.1:80".parse().unwrap(), |names, answer| *names = Some(answer))
        .unwrap();
    let mut names = None;
    lp.run_with(&mut names, RunMode::Default).unwrap();
    let names = names.unwrap().unwrap();
    assert_ne!(names.host, "127.0.0.1");
}
