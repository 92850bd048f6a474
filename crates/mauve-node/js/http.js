// The module 'http'.
const common = require('internal/http/common');
const { validateInteger: checkInteger } = require('internal/validators');
const { IncomingMessage } = require('internal/http/incoming');
const { OutgoingMessage } = require('internal/http/outgoing');
const { ServerResponse } = require('internal/http/response');
const { Server } = require('internal/http/server');
const { DEFAULT_MAX_HEADER_SIZE } = require('internal/http/parser');

// The client modules are loaded on first use.
const load = { agent: () => require('internal/http/agent'), client: () => require('internal/http/client') };
let client;

function request(url, options, listener) {
  client ??= load.client();
  return new client.ClientRequest(url, options, listener);
}

function get(url, options, listener) {
  const req = request(url, options, listener);
  req.end();
  return req;
}

const api = {
  METHODS: common.METHODS,
  STATUS_CODES: common.STATUS_CODES,
  validateHeaderName: common.validateHeaderName,
  validateHeaderValue: common.validateHeaderValue,
  maxHeaderSize: DEFAULT_MAX_HEADER_SIZE,
  IncomingMessage, OutgoingMessage, Server, ServerResponse,
  createServer: (settings, listener) => new Server(settings, listener),
  request, get,
  // Only validates: parsers are not pooled.
  setMaxIdleHTTPParsers: (count) => checkInteger(count, 'max', 1),
};

require('internal/util/getters').defineGetters(api, { Agent: () => load.agent().Agent, ClientRequest: () => load.client().ClientRequest });
Object.defineProperty(api, 'globalAgent', {
  configurable: true,
  enumerable: true,
  get: () => load.agent().globalAgent,
  set(agent) { load.agent().globalAgent = agent; },
});

if (/(?:^|,)\s*http\s*(?:,|$)/i.test(process.env.NODE_DEBUG)) {
  process.emitWarning("Setting the NODE_DEBUG environment variable to 'http' can expose sensitive data " +
    '(such as passwords, tokens and authentication headers) in the resulting log.');
}

module.exports = api;
