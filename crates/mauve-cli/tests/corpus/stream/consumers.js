// stream/consumers, and functions that query a stream's state.
const { text, json, buffer, arrayBuffer } = require('stream/consumers');
const stream = require('stream');
(async () => {
  console.log(await text(stream.Readable.from(['a', Buffer.from('b')])));
  console.log(await json(stream.Readable.from(['{"a":', '[1]}'])));
  console.log(await buffer(stream.Readable.from([Buffer.from('xy')])), (await arrayBuffer(stream.Readable.from([Buffer.from('xyz')]))).byteLength);
  const r = new stream.Readable({ read() {} });
  console.log(stream.isReadable(r), stream.isDisturbed(r), stream.isErrored(r), stream.isDestroyed(r));
  r.on('error', () => {});
  r.destroy(new Error('x'));
  console.log(stream.isReadable(r), stream.isErrored(r), stream.isDestroyed(r), stream.isReadable({}));
  console.log(stream.getDefaultHighWaterMark(false), stream.getDefaultHighWaterMark(true));
  stream.setDefaultHighWaterMark(false, 100);
  console.log(new stream.Readable().readableHighWaterMark, new stream.Writable({ highWaterMark: 5 }).writableHighWaterMark);
})();
