// What the module 'worker_threads' says of this thread. internal/worker/main changes it in a worker.
module.exports = { isMainThread: true, threadId: 0, name: '', limits: {}, parentPort: null, workerData: null, environment: new Map() };
