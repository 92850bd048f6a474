// pino: levels, serializers, redaction, and children.
const pino = require('pino');
const steady = { base: { app: 'test' }, timestamp: false };
const logger = pino({ ...steady, level: 'debug', redact: ['user.password'], serializers: { request: ({ url }) => url } }, pino.destination({ sync: true }));
logger.info('hello');
logger.debug({ user: { name: 'a', password: 'b' } }, 'with %s', 'values');
logger.trace('never');
logger.child({ module: 'child' }, { level: 'warn' }).warn({ request: { url: '/x', body: 'dropped' } }, 'careful');
const error = new TypeError('failed');
error.stack = 'TypeError: failed\n    at place';
logger.error(error);
logger.fatal({ err: error }, 'worse');
console.log(logger.isLevelEnabled('trace'), logger.levels.values.warn);
