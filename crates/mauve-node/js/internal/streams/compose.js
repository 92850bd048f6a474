// stream.compose: a row of streams behind the face of one duplex stream.

const { codes } = require('internal/errors');
const Duplex = require('internal/streams/duplex');
const kinds = require('internal/streams/kinds');
const { destroyAny } = require('internal/streams/life');
const { finished } = require('internal/streams/finished');
const { Facade } = require('internal/streams/facade');
const { runPipeline } = require('internal/streams/pipeline');
const { isReadable, isWritable } = require('internal/streams/condition');

function compose(...given) {
  if (given.length === 0) throw new codes.ERR_MISSING_ARGS('streams');
  if (given.length === 1) return Duplex.from(given[0]);
  const last = given.length - 1;
  // Functions in between are the pipeline's business.
  const row = given.map((one, i) => ((i === 0 || i === last) && typeof one === 'function' ? Duplex.from(one) : one));
  row.forEach((one, i) => {
    if (!kinds.stream(one)) return;
    const complain = (what) => {
      throw new codes.ERR_INVALID_ARG_VALUE(`streams[${i}]`, given[i], what);
    };
    if (i < last && !isReadable(one)) complain('must be readable');
    if (i > 0 && !isWritable(one)) complain('must be writable');
  });

  let isOver = false;
  const [inlet] = row;
  const outlet = runPipeline(row, (err) => {
    isOver = true;
    facade.over(err);
    if (!err && !facade.open.readable && !facade.open.writable) facade.stream.destroy();
  });
  const facade = new Facade({
    inlet,
    outlet,
    writable: Boolean(isWritable(inlet)),
    readable: Boolean(isReadable(outlet)),
  });
  if (facade.open.writable) {
    facade.feed(inlet);
    // However the last one ends; errors are the pipeline's to report.
    finished(outlet, () => facade.finish());
  }
  if (facade.open.readable) facade.draw(outlet);
  facade.closeWith(
    () => isOver,
    (err) => destroyAny(outlet, err),
  );
  return facade.stream;
}

module.exports = { compose };
