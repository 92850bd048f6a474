// The module 'http'.

const common = require('internal/http/common');
const { validateInteger: checkInteger } = require('internal/validators');
const { IncomingMessage } = require('internal/http/incoming');
const { OutgoingMessage } = require('internal/http/outgoing');
const { ServerResponse } = require('internal/http/response');
const { Server } = require('internal/http/server');
const { DEFAULT_MAX_HEADER_SIZE } = require('internal/http/parser');

// Clients are loaded when there is one.
const load = { agent: () => require('internal/http/agent'), client: () => require('internal/http/client') };

function request(...given) {
  const { ClientRequest } = load.client();
  return new ClientRequest(...given);
}

const api = {
  METHODS: [...common.METHODS].sort(),
  STATUS_CODES: common.STATUS_CODES,
  validateHeaderName: common.validateHeaderName,
  validateHeaderValue: common.validateHeaderValue,
  maxHeaderSize: DEFAULT_MAX_HEADER_SIZE,
  IncomingMessage,
  OutgoingMessage,
  Server,
  ServerResponse,
  createServer: (settings, listener) => new Server(settings, listener),
  request,
  get: (...given) => request(...given).end(),
  // There is no store of parsers that could be too large: each is made when it is needed.
  setMaxIdleHTTPParsers: (count) => checkInteger(count, 'max', 1),
};

function lazily(name, from, set) {
  Object.defineProperty(api, name, {
    configurable: true,
    enumerable: true,
    get: () => load[from]()[name],
    set,
  });
}

lazily('Agent', 'agent');
lazily('ClientRequest', 'client');
lazily('globalAgent', 'agent', (agent) => { load.agent().globalAgent = agent; });

module.exports = api;
