// The module 'http'.

const {
  METHODS, STATUS_CODES, validateHeaderName, validateHeaderValue,
} = require('internal/http/common');
const { validateInteger } = require('internal/validators');
const { IncomingMessage } = require('internal/http/incoming');
const { OutgoingMessage } = require('internal/http/outgoing');
const { ServerResponse } = require('internal/http/response');
const { Server } = require('internal/http/server');
const { DEFAULT_MAX_HEADER_SIZE } = require('internal/http/parser');

// Clients are loaded when there is one.
const agent = () => require('internal/http/agent');
const client = () => require('internal/http/client');

function request(url, options, cb) {
  return new (client().ClientRequest)(url, options, cb);
}

function get(url, options, cb) {
  const req = request(url, options, cb);
  req.end();
  return req;
}

module.exports = {
  METHODS: METHODS.slice().sort(),
  STATUS_CODES,
  IncomingMessage,
  OutgoingMessage,
  Server,
  ServerResponse,
  createServer: (options, requestListener) => new Server(options, requestListener),
  validateHeaderName,
  validateHeaderValue,
  get,
  request,
  setMaxIdleHTTPParsers(max) {
    // Parsers are made when they are needed; none are kept.
    validateInteger(max, 'max', 1);
  },
  maxHeaderSize: DEFAULT_MAX_HEADER_SIZE,
};

Object.defineProperties(module.exports, {
  Agent: { get: () => agent().Agent, configurable: true, enumerable: true },
  ClientRequest: { get: () => client().ClientRequest, configurable: true, enumerable: true },
  globalAgent: {
    get: () => agent().globalAgent,
    set: (value) => { agent().globalAgent = value; },
    configurable: true,
    enumerable: true,
  },
});
