// Sends a DNS query to one name server after the other until one responds.
const { RECORD_TYPES } = require('internal/dns/record_types');
const { clearTimeout, setTimeout } = require('timers');
const { decodeResponse, encodeQuery } = binding('dns');
const CODES = [null, 'EFORMERR', 'ESERVFAIL', 'ENOTFOUND', 'ENOTIMP', 'EREFUSED'];

// Errors after which the next server is tried.
const RETRIED_ERRORS = new Set(['ESERVFAIL', 'ENOTIMP', 'EREFUSED', 'EBADRESP', 'ECONNREFUSED', 'ETIMEOUT']);

// A pending query. Calls done(code, response) once; `code` is null if there is a response.
class Query {
  constructor({ servers, timeout, tries, local }, name, type, done) {
    this.local = local;
    this.servers = servers;
    this.timeout = timeout > 0 ? timeout : 5000;
    this.attemptsLeft = servers.length * tries;
    this.next = 0;
    this.done = done;
    this.stop = null;
    this.id = Math.floor(Math.random() * 65536);
    this.message = encodeQuery(this.id, name.toWellFormed(), RECORD_TYPES[type].number);
    if (this.message === undefined) process.nextTick(() => this.finish('EBADNAME'));
    else if (/\.onion\.?$/i.test(name)) process.nextTick(() => this.finish('ENOTFOUND'));
    else if (servers.length === 0) process.nextTick(() => this.finish('ECONNREFUSED'));
    else this.sendNext();
  }

  sendNext() {
    const server = this.servers[this.next++ % this.servers.length];
    this.attemptsLeft--;
    this.overUdp(server, (code, response) => {
      if (code && RETRIED_ERRORS.has(code) && this.attemptsLeft > 0) this.sendNext();
      else this.finish(code, response);
    });
  }

  finish(code, response) {
    const { done } = this;
    this.done = null;
    this.stop?.();
    done?.(code, response);
  }

  cancel() { this.finish('ECANCELLED'); }

  // Prepares one attempt. The first of response, error and timeout ends it.
  attempt(close, report) {
    const timer = setTimeout(() => this.stop('ETIMEOUT'), this.timeout);
    this.stop = (code, response) => {
      this.stop = null;
      clearTimeout(timer);
      close();
      if (this.done && code !== undefined) report(code, response);
    };
  }

  overUdp(server, report) {
    const { address, family, port } = server;
    const socket = require('dgram').createSocket(family === 6 ? 'udp6' : 'udp4');
    this.attempt(() => socket.close(), report);
    socket.on('error', () => this.stop?.('ECONNREFUSED'));
    socket.on('message', (message) => {
      const response = decodeResponse(message);
      // Responses to other queries are ignored.
      if (message.length < 2 || message.readUInt16BE(0) !== this.id) return;
      if (response === undefined) {
        this.stop?.('EBADRESP');
      } else if (response.isTruncated) {
        this.stop('ETRUNCATED');
        this.overTcp(server, report);
      } else {
        this.stop?.(codeOf(response), response);
      }
    });
    const { stop } = this;
    this.stop = (code, response) => (code === 'ETRUNCATED' ? stop(undefined) : stop(code, response));
    if (this.local[family]) socket.bind({ address: this.local[family] });
    socket.connect(port, address, (err) => {
      if (err) this.stop?.('ECONNREFUSED');
      else socket.send(this.message);
    });
  }

  overTcp({ address, family, port }, report) {
    const { Buffer } = require('buffer');
    const socket = require('net').connect({ port, host: address, localAddress: this.local[family] });
    this.attempt(() => socket.destroy(), report);
    socket.on('error', () => this.stop?.('ECONNREFUSED'));
    const size = Buffer.alloc(2);
    size.writeUInt16BE(this.message.length, 0);
    socket.write(Buffer.concat([size, this.message]));
    let received = Buffer.alloc(0);
    socket.on('data', (data) => {
      received = Buffer.concat([received, data]);
      if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
      const response = decodeResponse(received.subarray(2));
      this.stop?.(response === undefined ? 'EBADRESP' : codeOf(response), response);
    });
    socket.on('end', () => this.stop?.('ECONNREFUSED'));
  }
}

function codeOf(response) {
  if (response.code !== 0) return CODES[response.code] ?? 'EBADRESP';
  return null;
}

module.exports = Query;
