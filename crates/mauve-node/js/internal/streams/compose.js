// stream.compose: a pipeline of streams wrapped into one duplex stream.
const { codes } = require('internal/errors');
const Duplex = require('internal/streams/duplex');
const types = require('internal/streams/types');
const { destroyer } = require('internal/streams/destroy');
const { finished } = require('internal/streams/finished');
const { Facade } = require('internal/streams/facade');
const { runPipeline } = require('internal/streams/pipeline');
const { isReadable, isWritable } = require('internal/streams/utils');

function compose(...args) {
  if (args.length === 0) throw new codes.ERR_MISSING_ARGS('streams');
  if (args.length === 1) return Duplex.from(args[0]);
  const last = args.length - 1;
  // The pipeline handles functions between the first and the last stream.
  const streams = args.map((stream, i) => {
    const isEnd = i === 0 || i === last;
    return isEnd && typeof stream === 'function' ? Duplex.from(stream) : stream;
  });
  streams.forEach((stream, i) => {
    if (!types.isNodeStream(stream)) return;
    const refuse = (what) => { throw new codes.ERR_INVALID_ARG_VALUE(`streams[${i}]`, args[i], what); };
    if (i < last && !isReadable(stream)) refuse('must be readable');
    if (i > 0 && !isWritable(stream)) refuse('must be writable');
  });

  let isPipelineDone = false;
  const [head] = streams;
  const tail = runPipeline(streams, (err) => {
    isPipelineDone = true;
    facade.onFinished(err);
    if (!err && !facade.open.readable && !facade.open.writable) facade.stream.destroy();
  });
  const facade = new Facade({ sink: head, source: tail, writable: Boolean(isWritable(head)), readable: Boolean(isReadable(tail)) });
  if (facade.open.writable) {
    facade.forwardWrites(head);
    // The pipeline reports errors, so the outcome does not matter here.
    finished(tail, () => facade.finish());
  }
  if (facade.open.readable) facade.forwardFlow(tail);
  facade.destroyWith(() => isPipelineDone, (err) => destroyer(tail, err));
  return facade.stream;
}

module.exports = { compose };
