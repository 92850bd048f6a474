// ioredis, against a real server.
const Redis = require('ioredis');
(async () => {
  const redis = new Redis(process.env.REDIS_URL, { retryStrategy: null });
  await redis.flushall();
  console.log(await redis.set('key', 'value', 'EX', 10), await redis.get('key'), await redis.ttl('key'));
  console.log(await redis.pipeline().set('a', 1).incr('a').get('a').lpush('a', 1).exec().then((all) => all.map(([error, value]) => error?.message ?? value)));
  console.log(await redis.multi().set('b', 2).get('b').exec());
  redis.defineCommand('twice', { numberOfKeys: 1, lua: 'return redis.call("GET", KEYS[1]) .. redis.call("GET", KEYS[1])' });
  console.log(await redis.twice('key'), await redis.getBuffer('key'));
  const subscriber = redis.duplicate();
  await subscriber.subscribe('channel');
  const got = new Promise((resolve) => subscriber.once('message', (...args) => resolve(args)));
  await redis.publish('channel', 'text');
  console.log(await got);
  await redis.xadd('stream', '1-1', 'field', 'value');
  console.log(JSON.stringify(await redis.xread('STREAMS', 'stream', '0')));
  const keys = [];
  for await (const batch of redis.scanStream({ count: 2 })) keys.push(...batch);
  console.log(keys.sort());
  await redis.call('NOPE').catch((error) => console.log(error.name, error.message.slice(0, 27)));
  subscriber.disconnect();
  console.log(await redis.quit());
  const refused = new Redis({ port: 1, retryStrategy: null, lazyConnect: true });
  refused.on('error', (error) => console.log('event', error.code));
  await refused.connect().catch((error) => console.log('rejected', error.message));
})();
