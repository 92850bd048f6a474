// BroadcastChannel: messages for all other channels of a name.
const log = [];
const [a, b, c, other] = ['x', 'x', 'x', 'y'].map((name) => new BroadcastChannel(name));
console.log(a.name, a instanceof EventTarget);
a.onmessage = () => console.log('a message of its own');
other.onmessage = () => console.log('a message of another name');
for (const [name, channel] of [['b', b], ['c', c]]) {
  channel.onmessage = (event) => {
    log.push(`${name} ${event.data.text} ${event.constructor.name}`);
    if (log.length < 2) return;
    console.log(log.sort().join());
    for (const one of [a, b, c, other]) one.close();
    try {
      a.postMessage(1);
    } catch (error) {
      console.log(error.name, error.message, error.code);
    }
  };
}
a.postMessage({ text: 'hi' });
const unused = new BroadcastChannel('z');
unused.unref();
try {
  new BroadcastChannel();
} catch (error) {
  console.log(error.code, error.message);
}
