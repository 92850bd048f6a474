// redis, against a real server.
const { createClient } = require('redis');
(async () => {
  const client = createClient({ url: process.env.REDIS_URL });
  client.on('error', (error) => console.log('error', error.message));
  await client.connect();
  await client.flushAll();
  console.log(await client.set('key', 'value'), await client.get('key'), await client.get('missing'));
  console.log(await Promise.all(Array.from({ length: 200 }, () => client.incr('count'))).then((all) => all.at(-1)));
  await client.hSet('hash', { a: '1', b: 'two' });
  console.log(await client.hGetAll('hash'));
  console.log(await client.multi().set('x', '1').incr('x').get('x').exec());
  await client.rPush('list', ['a', 'b', 'c']);
  console.log(await client.lRange('list', 0, -1), await client.sAdd('set', ['m', 'n']));
  const subscriber = client.duplicate();
  await subscriber.connect();
  const message = new Promise((resolve) => { subscriber.subscribe('news', (text, channel) => resolve([channel, text])).then(() => client.publish('news', 'hello')); });
  console.log(await message);
  await client.set('big', 'x'.repeat(300000));
  console.log((await client.get('big')).length);
  await client.sendCommand(['NOPE']).catch((error) => console.log(error.constructor.name, error.message.slice(0, 27)));
  const keys = [];
  for await (const batch of client.scanIterator()) keys.push(...batch);
  console.log(keys.sort());
  await subscriber.unsubscribe('news');
  await subscriber.close();
  await client.close();
})();
