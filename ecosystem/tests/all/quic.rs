//! quinn.

use std::net::UdpSocket;
use std::sync::Arc;

use mauve_ecosystem::quinn::MauveRuntime;
use quinn::{ClientConfig, Endpoint, EndpointConfig, ServerConfig};

use crate::run;

fn endpoint(server: Option<ServerConfig>) -> Endpoint {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    Endpoint::new(EndpointConfig::default(), server, socket, Arc::new(MauveRuntime)).unwrap()
}

#[test]
fn quinn() {
    run(async {
        let names = vec!["localhost".to_owned()];
        let rcgen::CertifiedKey { cert, signing_key } =
            rcgen::generate_simple_self_signed(names).unwrap();
        let key = rustls::pki_types::PrivateKeyDer::try_from(signing_key.serialize_der()).unwrap();
        let certificate = cert.der().clone();
        let config = ServerConfig::with_single_cert(vec![certificate.clone()], key).unwrap();
        let server = endpoint(Some(config));
        let address = server.local_addr().unwrap();
        let echo = mauve::spawn(async move {
            let connection = server.accept().await.unwrap().await.unwrap();
            let (mut send, mut receive) = connection.accept_bi().await.unwrap();
            let bytes = receive.read_to_end(1 << 20).await.unwrap();
            send.write_all(&bytes).await.unwrap();
            send.finish().unwrap();
            connection.closed().await;
            server.wait_idle().await;
        });

        let mut roots = rustls::RootCertStore::empty();
        roots.add(certificate).unwrap();
        let client = endpoint(None);
        let config = ClientConfig::with_root_certificates(Arc::new(roots)).unwrap();
        let connection = client.connect_with(config, address, "localhost").unwrap().await.unwrap();
        let (mut send, mut receive) = connection.open_bi().await.unwrap();
        let bytes = vec![7; 300_000];
        send.write_all(&bytes).await.unwrap();
        send.finish().unwrap();
        assert!(receive.read_to_end(1 << 20).await.unwrap() == bytes);
        connection.close(0u32.into(), b"done");
        client.wait_idle().await;
        echo.await.unwrap();
    });
}
