// stream.compose: several streams behind the face of one duplex stream.

const { AbortError, codes } = require('internal/errors');
const Duplex = require('internal/streams/duplex');
const { destroyer } = require('internal/streams/destroy');
const { pipelineImpl } = require('internal/streams/pipeline');
const { isNodeStream, isReadable, isWritable } = require('internal/streams/utils');

function compose(...streams) {
  if (streams.length === 0) throw new codes.ERR_MISSING_ARGS('streams');
  if (streams.length === 1) return Duplex.from(streams[0]);
  const originals = [...streams];
  if (typeof streams[0] === 'function') streams[0] = Duplex.from(streams[0]);
  const lastIndex = streams.length - 1;
  if (typeof streams[lastIndex] === 'function') streams[lastIndex] = Duplex.from(streams[lastIndex]);
  for (let i = 0; i < streams.length; i++) {
    if (!isNodeStream(streams[i])) continue;
    if (i < lastIndex && !isReadable(streams[i])) {
      throw new codes.ERR_INVALID_ARG_VALUE(`streams[${i}]`, originals[i], 'must be readable');
    }
    if (i > 0 && !isWritable(streams[i])) {
      throw new codes.ERR_INVALID_ARG_VALUE(`streams[${i}]`, originals[i], 'must be writable');
    }
  }

  let onDrain = null;
  let onFinish = null;
  let onReadable = null;
  let onClose = null;
  let isOver = false;

  function finished(err) {
    isOver = true;
    const cb = onClose;
    onClose = null;
    if (cb) cb(err);
    else if (err) face.destroy(err);
    else if (!readable && !writable) face.destroy();
  }

  const head = streams[0];
  const tail = pipelineImpl(streams, finished);
  const writable = !!isWritable(head);
  const readable = !!isReadable(tail);
  const face = new Duplex({
    writableObjectMode: !!head?.writableObjectMode,
    readableObjectMode: !!tail?.readableObjectMode,
    writable,
    readable,
  });

  if (writable) {
    face._write = (chunk, encoding, cb) => {
      if (head.write(chunk, encoding)) cb();
      else onDrain = cb;
    };
    face._final = (cb) => {
      head.end();
      onFinish = cb;
    };
    head.on('drain', () => {
      const cb = onDrain;
      onDrain = null;
      if (cb) cb();
    });
    tail.on('finish', () => {
      const cb = onFinish;
      onFinish = null;
      if (cb) cb();
    });
  }
  if (readable) {
    tail.on('readable', () => {
      const cb = onReadable;
      onReadable = null;
      if (cb) cb();
    });
    tail.on('end', () => face.push(null));
    face._read = () => {
      for (;;) {
        const chunk = tail.read();
        if (chunk === null) {
          onReadable = face._read;
          return;
        }
        if (!face.push(chunk)) return;
      }
    };
  }
  face._destroy = (err, cb) => {
    if (!err && onClose !== null) err = new AbortError();
    onReadable = null;
    onDrain = null;
    onFinish = null;
    if (isNodeStream(tail) && !isOver) {
      onClose = cb;
      destroyer(tail, err);
    } else {
      cb(err);
    }
  };
  return face;
}

module.exports = { compose };
