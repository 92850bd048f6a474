// The module stream/promises: finished and pipeline with promises.
const { finishedPromise } = require('internal/streams/finished');
const { pipelinePromise } = require('internal/streams/pipeline');

module.exports = {
  finished: Object.defineProperty(finishedPromise, 'name', { value: 'finished' }),
  pipeline: Object.defineProperty(pipelinePromise, 'name', { value: 'pipeline' }),
};
