# an echo server on uvloop with 300 messages
import asyncio

import uvloop

MESSAGES = 300


async def echo(reader, writer):
    while line := await reader.readline():
        writer.write(line)
    writer.close()


async def main():
    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
    for number in range(MESSAGES):
        writer.write(b"%d\n" % number)
        assert await reader.readline() == b"%d\n" % number
    writer.close()
    server.close()
    await server.wait_closed()
    print("all done")


uvloop.run(main()) if hasattr(uvloop, "run") else (uvloop.install(), asyncio.run(main()))
