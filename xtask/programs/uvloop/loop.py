# timers, calls from threads, executors, readers, names, UDP
import asyncio
import os
import socket
import threading
import time

from check import main


class Echo(asyncio.DatagramProtocol):
    def connection_made(self, transport):
        self.transport = transport

    def datagram_received(self, data, address):
        self.transport.sendto(data, address)


class Client(asyncio.DatagramProtocol):
    def __init__(self):
        self.got = asyncio.Queue()

    def datagram_received(self, data, address):
        self.got.put_nowait(data)


async def datagrams(loop):
    server, _ = await loop.create_datagram_endpoint(Echo, local_addr=("127.0.0.1", 0))
    address = server.get_extra_info("sockname")
    client, protocol = await loop.create_datagram_endpoint(Client, remote_addr=address)
    for i in range(20):
        sent = {f"{i} {j}".encode() for j in range(20)}
        for data in sent:
            client.sendto(data)
        assert {await protocol.got.get() for _ in sent} == sent
    client.close()
    server.close()


async def work():
    loop = asyncio.get_running_loop()
    assert type(loop).__module__.startswith("uvloop")
    order = []
    for delay in (0.04, 0.01, 0.025):
        loop.call_later(delay, order.append, delay)
    begin = time.monotonic()
    await asyncio.sleep(0.06)
    assert order == [0.01, 0.025, 0.04] and time.monotonic() - begin >= 0.059
    await asyncio.gather(*(asyncio.sleep(0.001 * (i % 20)) for i in range(5000)))

    sums = await asyncio.gather(*(loop.run_in_executor(None, sum, range(i)) for i in range(100)))
    assert sums == [sum(range(i)) for i in range(100)]
    count, done = 0, asyncio.Event()

    def step():
        nonlocal count
        count += 1
        if count == 2000:
            done.set()

    threads = [threading.Thread(target=lambda: [loop.call_soon_threadsafe(step) for _ in range(500)]) for _ in range(4)]
    [thread.start() for thread in threads]
    await done.wait()
    [thread.join() for thread in threads]

    read, write = os.pipe()
    ready = asyncio.Event()
    loop.add_reader(read, ready.set)
    os.write(write, b"x")
    await ready.wait()
    data = os.read(read, 10)
    assert data == b"x", data
    loop.remove_reader(read)
    os.close(read), os.close(write)

    found = await loop.getaddrinfo("localhost", 80, family=socket.AF_INET, type=socket.SOCK_STREAM)
    assert found[0][4] == ("127.0.0.1", 80)
    assert await loop.getnameinfo(("127.0.0.1", 80), socket.NI_NUMERICHOST | socket.NI_NUMERICSERV) == ("127.0.0.1", "80")
    await datagrams(loop)

    left, right = socket.socketpair()
    left.setblocking(False), right.setblocking(False)
    await loop.sock_sendall(left, b"through a pair")
    assert await loop.sock_recv(right, 100) == b"through a pair"
    left.close(), right.close()


main(work)
