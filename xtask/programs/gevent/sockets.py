# gevent on libuv: 50 clients of an echo server, timers, processes, the thread pool
import os
import sys

os.environ['GEVENT_LOOP'] = 'libuv'
import gevent
from gevent import monkey, pool, server, socket, subprocess

monkey.patch_all()
with open('/proc/self/maps') as maps:
    mapped = {line[line.index('/'):].strip() for line in maps if '/libuv.so' in line}
assert mapped == {os.environ['LIBUV']}, mapped
assert 'libuv' in type(gevent.get_hub().loop).__module__


def echo(connection, _):
    while data := connection.recv(65536):
        connection.sendall(data)


def client(number):
    connection = socket.create_connection(('127.0.0.1', listener.server_port))
    sent = b'client %d ' % number * 10000
    connection.sendall(sent)
    connection.shutdown(socket.SHUT_WR)
    got = b''
    while data := connection.recv(65536):
        got += data
    connection.close()
    assert got == sent, number


listener = server.StreamServer(('127.0.0.1', 0), echo)
listener.start()
pool.Pool(50).map(client, range(50))
listener.stop()
order = []
gevent.joinall([gevent.spawn_later(ms / 1000, order.append, ms) for ms in (30, 10, 20)])
assert order == [10, 20, 30], order
assert subprocess.run(['sh', '-c', 'cat; exit 7'], input=b'', check=False).returncode == 7
found = gevent.get_hub().threadpool.map(lambda number: number * 2, range(100))
assert list(found) == [number * 2 for number in range(100)]
print('all done')
