// The module 'cluster': a process that is not a worker, and cannot fork any.
const EventEmitter = require('events');
const cluster = new EventEmitter();
Object.defineProperties(cluster, Object.getOwnPropertyDescriptors(
  require('internal/stand_in')('cluster', { workers: {}, settings: {} })));

module.exports = cluster;
