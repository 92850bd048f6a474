// The module 'https': agents, which programs create before they need one. There is no TLS to connect with.
const http = require('http');

function Agent(options) {
  if (!(this instanceof Agent)) return new Agent(options);
  http.Agent.call(this, options);
  Object.assign(this, { defaultPort: 443, protocol: 'https:', maxCachedSessions: options?.maxCachedSessions ?? 100 });
}
Object.setPrototypeOf(Agent.prototype, http.Agent.prototype);
Object.setPrototypeOf(Agent, http.Agent);
Agent.prototype.createConnection = function createConnection() { return require('tls').connect(); };

let globalAgent;

module.exports = require('internal/stand_in')('https', {
  Agent,
  get globalAgent() {
    globalAgent ??= new Agent({ keepAlive: true, scheduling: 'lifo', timeout: 5000 });
    return globalAgent;
  },
  set globalAgent(agent) { globalAgent = agent; },
});
