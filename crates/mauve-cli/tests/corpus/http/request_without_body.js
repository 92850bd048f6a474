// The events and the state of requests without a body, which programs read in different ways.
'use strict';
const http = require('http');

const EVENTS = ['resume', 'pause', 'data', 'end', 'close', 'error', 'aborted'];

function stateOf(request) {
  const { complete, destroyed, readable, readableEnded, readableFlowing, readableLength } = request;
  return JSON.stringify({ complete, destroyed, readable, readableEnded, readableFlowing, readableLength });
}

function logEvents(request, events = EVENTS) {
  for (const event of events) request.on(event, () => console.log('request', event, stateOf(request)));
}

const handlers = {
  end(request, response) {
    request.on('end', () => response.end('end'));
    request.resume();
  },
  dataAndEnd(request, response) {
    request.on('data', () => console.log('data'));
    request.on('end', () => response.end('data and end'));
  },
  allEvents(request, response) {
    logEvents(request);
    process.nextTick(() => console.log('tick', stateOf(request)));
    request.on('end', () => {
      process.nextTick(() => console.log('tick after end', stateOf(request)));
      setImmediate(() => response.end(stateOf(request)));
    });
  },
  // A tick after each of the others reads the state.
  ticks(request, response) {
    let left = 8;
    const next = () => {
      console.log(left, stateOf(request));
      if (left-- > 0) process.nextTick(next);
      else response.end();
    };
    request.resume();
    process.nextTick(next);
  },
  onceAndOff(request, response) {
    const unused = () => console.log('never');
    request.on('end', unused).off('end', unused);
    request.once('end', () => console.log('once', request.listenerCount('end')));
    request.once('close', () => response.end('closed'));
    request.resume();
  },
  closeOnly(request, response) {
    request.on('close', () => console.log('close', stateOf(request)));
    response.end('close only');
  },
  readable(request, response) {
    request.on('readable', () => console.log('readable', request.read(), stateOf(request)));
    request.on('end', () => response.end('readable'));
  },
  readableLater(request, response) {
    request.resume();
    process.nextTick(() => {
      request.on('readable', () => console.log('readable', request.read()));
      request.on('end', () => response.end('readable later'));
    });
  },
  pauseAfterResume(request, response) {
    logEvents(request, ['resume', 'pause', 'end', 'close']);
    request.resume();
    request.pause();
    setImmediate(() => {
      request.resume();
      response.end(stateOf(request));
    });
  },
  destroyInEnd(request, response) {
    logEvents(request, ['end', 'close', 'error']);
    request.on('end', () => {
      request.destroy();
      console.log('destroyed', stateOf(request));
      response.end('destroyed');
    });
    request.resume();
  },
  wrappedEmit(request, response) {
    const { emit } = request;
    request.emit = function (...args) {
      console.log('emit', args[0]);
      return emit.apply(this, args);
    };
    request.on('end', () => response.end('wrapped'));
    request.resume();
  },
  async iterator(request, response) {
    for await (const chunk of request) console.log(chunk);
    response.end(stateOf(request));
  },
  late(request, response) {
    setImmediate(() => {
      logEvents(request, ['resume', 'end', 'close']);
      request.on('end', () => response.end('late'));
      request.resume();
    });
  },
};

const server = http.createServer((request, response) => handlers[request.url.slice(1)](request, response));
server.listen(0, async () => {
  const { port } = server.address();
  for (const name in handlers) {
    console.log('---', name);
    await new Promise((done) => {
      http.get({ port, path: `/${name}`, agent: false }, (response) => {
        let text = '';
        response.on('data', (part) => { text += part; });
        response.on('close', () => {
          console.log('response:', text);
          done();
        });
      });
    });
  }
  server.close();
});
