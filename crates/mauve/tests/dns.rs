//! Host name lookups that need no network.

use std::net::SocketAddr;

use mauve::{Errno, Loop, RunMode, dns};

#[test]
fn a_numeric_address_resolves_to_itself() {
    let lp: Loop = Loop::new().unwrap();
    let addresses = lp.block_on(async { dns::lookup_host("::1", "80").await });
    assert_eq!(addresses.map_err(Errno::from), Ok(vec!["[::1]:80".parse().unwrap()]));
}

#[test]
fn invalid_names_are_refused_by_both_forms() {
    let lp: Loop = Loop::new().unwrap();
    let long = "a".repeat(256);
    for host in ["", &long, "nul\0byte"] {
        let looked_up = lp.block_on(async { dns::lookup_host(host, 0).await });
        assert_eq!(looked_up.map_err(Errno::from), Err(Errno::EINVAL));
        let refused = lp.lookup_host(host, 0, |_, _| panic!("called")).map(drop);
        assert_eq!(refused, Err(Errno::EINVAL));
    }
    assert_eq!(lp.run(RunMode::Default), Ok(false));
}

#[test]
fn an_unknown_service_fails_with_eai_service() {
    let lp: Loop = Loop::new().unwrap();
    let addresses = lp.block_on(async { dns::lookup_host("127.0.0.1", "no-such-service").await });
    assert_eq!(addresses.map_err(Errno::from), Err(Errno::EAI_SERVICE));
}

#[test]
fn several_lookups_run_concurrently() {
    let lp = Loop::<Vec<SocketAddr>>::new().unwrap();
    for port in 1..=20 {
        lp.lookup_host("127.0.0.1", port, |all, addresses| all.extend(addresses.unwrap())).unwrap();
    }
    let mut all = Vec::new();
    lp.run_with(&mut all, RunMode::Default).unwrap();
    all.sort();
    assert_eq!(all.iter().map(SocketAddr::port).collect::<Vec<_>>(), (1..=20).collect::<Vec<_>>());
}

#[test]
fn the_loopback_address_has_names() {
    let lp: Loop = Loop::new().unwrap();
    let names =
        lp.block_on(async { dns::lookup_addr(([127, 0, 0, 1], 9999).into()).await }).unwrap();
    assert!(!names.host.is_empty());
    assert_eq!(names.service, "9999");
}

#[test]
fn a_dropped_lookup_is_discarded() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async { drop(dns::lookup_host("127.0.0.1", 1)) });
    assert_eq!(lp.run(RunMode::Default), Ok(false));
    assert_eq!(lp.close(), Ok(()));
}

#[test]
fn hints_select_the_address_family() {
    let lp = Loop::<Vec<SocketAddr>>::new().unwrap();
    // The value of `AF_INET` on all platforms.
    let hints = dns::AddrInfoHints { family: 2, ..dns::AddrInfoHints::default() };
    lp.lookup_host_with("localhost", 7, hints, |found, addresses| *found = addresses.unwrap())
        .unwrap();
    let mut found = Vec::new();
    lp.run_with(&mut found, RunMode::Default).unwrap();
    assert!(!found.is_empty());
    assert!(found.iter().all(|address| address.is_ipv4() && address.port() == 7));
}

#[test]
fn lookup_addr_named_returns_a_name() {
    let lp = Loop::<Option<mauve::Result<dns::NameInfo>>>::new().unwrap();
    lp.lookup_addr_named("127.0.0.1:80".parse().unwrap(), |names, result| *names = Some(result))
        .unwrap();
    let mut names = None;
    lp.run_with(&mut names, RunMode::Default).unwrap();
    let names = names.unwrap().unwrap();
    assert_ne!(names.host, "127.0.0.1");
}
