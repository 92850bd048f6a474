# asyncio streams: 200 clients of an echo server over TCP, 20 over a Unix socket, 20 MB at once
import asyncio
import os

from check import main


async def echo(reader, writer):
    while data := await reader.read(65536):
        writer.write(data)
        await writer.drain()
    writer.close()


async def client(connect, size):
    reader, writer = await connect
    sent = os.urandom(size)

    async def send():
        for start in range(0, size, 50000):
            writer.write(sent[start : start + 50000])
            await writer.drain()
        writer.write_eof()

    sending = asyncio.ensure_future(send())
    got = await reader.read()
    await sending
    assert got == sent
    writer.close()
    await writer.wait_closed()


async def work():
    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    open_tcp = lambda: asyncio.open_connection("127.0.0.1", port)
    await asyncio.gather(*(client(open_tcp(), 10000 + i) for i in range(200)))
    await client(open_tcp(), 20_000_000)
    server.close()
    await server.wait_closed()

    server = await asyncio.start_unix_server(echo, "socket")
    await asyncio.gather(*(client(asyncio.open_unix_connection("socket"), 100000) for _ in range(20)))
    server.close()
    await server.wait_closed()
    try:
        await open_tcp()
    except ConnectionRefusedError:
        return
    raise AssertionError("the server still answers")


main(work)
