// The steps of requests on one connection that is kept alive, with the listeners of its socket.
'use strict';
const http = require('http');

const EVENTS = ['data', 'end', 'error', 'close', 'drain', 'timeout', 'free', 'agentRemove', 'pause', 'resume', 'finish'];
const counts = (emitter) => EVENTS.map((event) => emitter.listenerCount(event)).join();

const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const server = http.createServer((request, response) => {
  request.resume();
  response.end('0123456789');
});

const later = (name) => {
  process.nextTick(() => console.log(name, 'tick', Object.keys(agent.freeSockets).length));
  Promise.resolve().then(() => console.log(name, 'job'));
};

function send(index) {
  const method = index % 2 === 0 ? 'GET' : 'POST';
  const options = { port: server.address().port, host: '127.0.0.1', agent, method };
  const request = http.request(options, (response) => {
    console.log('response', response.statusCode, counts(request.socket), counts(request), counts(response));
    later('response');
    response.on('data', (part) => {
      console.log('data', part.length, counts(request.socket));
      later('data');
    });
    response.on('end', () => {
      console.log('end', response.complete, request.writableFinished);
      later('end');
    });
    response.on('close', () => console.log('response close'));
  });
  console.log('created', request.outputData.length, Object.keys(request).includes('outputData'));
  request.on('socket', (socket) => console.log('socket', counts(socket), request.reusedSocket));
  request.on('finish', () => console.log('finish', counts(request.socket)));
  request.on('close', () => {
    console.log('request close', counts(request.socket));
    if (index < 3) {
      setImmediate(send, index + 1);
    } else {
      agent.destroy();
      server.close();
    }
  });
  if (index === 3) request.write('abc');
  request.end(method === 'POST' ? 'body' : undefined);
  console.log('ended', request.outputData.length, request.outputSize);
}

server.listen(0, '127.0.0.1', () => send(0));
