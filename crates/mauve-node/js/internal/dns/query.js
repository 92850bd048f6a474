// Asks name servers, one after the other, until one has an answer.

const { decodeAnswer, encodeQuery } = require('internal/dns/message');
const { clearTimeout, setTimeout } = require('timers');

const CODES = [null, 'EFORMERR', 'ESERVFAIL', 'ENOTFOUND', 'ENOTIMP', 'EREFUSED'];

// Answers that another server may better.
const WORTH_ANOTHER = new Set(['ESERVFAIL', 'ENOTIMP', 'EREFUSED', 'EBADRESP', 'ECONNREFUSED', 'ETIMEOUT']);

// One question under way. Calls done(code, answers) once, with a code if there is no answer.
class Query {
  constructor({ servers, timeout, tries }, name, kind, done) {
    this.servers = servers;
    this.timeout = timeout > 0 ? timeout : 5000;
    this.left = servers.length * tries;
    this.next = 0;
    this.done = done;
    this.stop = null;
    this.id = Math.floor(Math.random() * 65536);
    this.question = encodeQuery(this.id, name, kind);
    if (this.question === null) process.nextTick(() => this.finish('EBADNAME'));
    else this.ask();
  }

  ask() {
    const server = this.servers[this.next++ % this.servers.length];
    this.left--;
    this.overUdp(server, (code, answer) => {
      if (code && WORTH_ANOTHER.has(code) && this.left > 0) this.ask();
      else this.finish(code, answer);
    });
  }

  finish(code, answer) {
    const { done } = this;
    this.done = null;
    this.stop?.();
    done?.(code, answer);
  }

  cancel() {
    this.finish('ECANCELLED');
  }

  // Sets up the end of one attempt: whatever comes first counts.
  attempt(close, report) {
    const timer = setTimeout(() => this.stop('ETIMEOUT'), this.timeout);
    this.stop = (code, answer) => {
      this.stop = null;
      clearTimeout(timer);
      close();
      if (this.done && code !== undefined) report(code, answer);
    };
  }

  overUdp(server, report) {
    const { address, family, port } = server;
    const socket = require('dgram').createSocket(family === 6 ? 'udp6' : 'udp4');
    this.attempt(() => socket.close(), report);
    socket.on('error', () => this.stop?.('ECONNREFUSED'));
    socket.on('message', (message) => {
      const answer = decodeAnswer(message);
      // Somebody else's answer is not ours.
      if (answer === null || answer.id !== this.id) return;
      if (answer.isTruncated) {
        this.stop('ETRUNCATED');
        this.overTcp(server, report);
      } else {
        this.stop?.(codeOf(answer), answer);
      }
    });
    const { stop } = this;
    this.stop = (code, answer) => (code === 'ETRUNCATED' ? stop(undefined) : stop(code, answer));
    socket.connect(port, address, (err) => {
      if (err) this.stop?.('ECONNREFUSED');
      else socket.send(this.question);
    });
  }

  overTcp({ address, port }, report) {
    const { Buffer } = require('buffer');
    const socket = require('net').connect(port, address);
    this.attempt(() => socket.destroy(), report);
    socket.on('error', () => this.stop?.('ECONNREFUSED'));
    const size = Buffer.alloc(2);
    size.writeUInt16BE(this.question.length, 0);
    socket.write(Buffer.concat([size, this.question]));
    let got = Buffer.alloc(0);
    socket.on('data', (data) => {
      got = Buffer.concat([got, data]);
      if (got.length < 2 || got.length < 2 + got.readUInt16BE(0)) return;
      const answer = decodeAnswer(got.subarray(2));
      this.stop?.(answer === null ? 'EBADRESP' : codeOf(answer), answer);
    });
    socket.on('end', () => this.stop?.('ECONNREFUSED'));
  }
}

function codeOf(answer) {
  if (answer.code !== 0) return CODES[answer.code] ?? 'EBADRESP';
  return null;
}

module.exports = Query;
