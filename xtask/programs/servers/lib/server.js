// Starts a server on a free port of the loopback, checks the library that it has loaded, and stops it.
'use strict';
const fs = require('fs');
const net = require('net');
const { spawn } = require('child_process');
const { once } = require('events');
const { setTimeout: sleep } = require('timers/promises');
const { assert } = require('../../node/lib/check');

// A port that is free now.
async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

class Server {
  constructor(program, args, variables) {
    this.output = '';
    this.child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...variables } });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream.setEncoding('utf8').on('data', (part) => { this.output += part; });
    }
    this.exit = once(this.child, 'close');
    process.on('exit', () => this.child.kill('SIGKILL'));
  }

  // Waits until the port accepts connections. It must have loaded the library that LIBUV names by then.
  async listening(port) {
    for (let i = 0; ; i++) {
      const socket = net.connect(port, '127.0.0.1');
      const connected = await once(socket, 'connect').then(() => true, () => false);
      socket.destroy();
      if (connected) break;
      assert(i < 1500 && this.child.exitCode === null && this.child.signalCode === null, this.output);
      await sleep(20);
    }
    const maps = fs.readFileSync(`/proc/${this.child.pid}/maps`, 'utf8').split('\n');
    const mapped = maps.map((line) => line.slice(line.indexOf('/'))).filter((path) => /\/libuv\.so/.test(path));
    assert.deepStrictEqual([...new Set(mapped)], [process.env.LIBUV]);
  }

  // Sends a signal. It must exit with this code.
  async stop(signal, code = 0) {
    this.child.kill(signal);
    assert.deepStrictEqual(await this.exit, [code, null], this.output);
  }
}

// A WebSocket whose messages can be awaited one by one.
class Client {
  constructor(url, protocol) {
    this.socket = new WebSocket(url, protocol);
    this.socket.binaryType = 'arraybuffer';
    this.messages = [];
    this.wake = () => {};
    this.socket.onmessage = ({ data }) => {
      this.messages.push(typeof data === 'string' ? data : Buffer.from(data).toString());
      this.wake();
    };
    this.closed = new Promise((resolve) => { this.socket.onclose = resolve; });
    this.open = new Promise((resolve, reject) => {
      this.socket.onopen = resolve;
      this.socket.onerror = () => reject(new Error(`no connection to ${url}`));
    });
  }

  async message() {
    while (this.messages.length === 0) await new Promise((resolve) => { this.wake = resolve; });
    return this.messages.shift();
  }

  async close() {
    this.socket.close();
    await this.closed;
  }
}

module.exports = { freePort, Server, Client };
