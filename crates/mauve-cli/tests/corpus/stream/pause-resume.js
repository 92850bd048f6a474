// pause and resume, data after readable, and isPaused in between.
const { Readable } = require('stream');
const source = new Readable({ read() {} });
const states = () => [source.readableFlowing, source.isPaused()].join();
console.log(states());
source.on('data', (c) => {
  console.log('data', String(c), states());
  if (String(c) === 'b') {
    source.pause();
    setTimeout(() => {
      console.log('resuming', source.readableLength);
      source.resume();
    }, 5);
  }
});
source.on('pause', () => console.log('pause')).on('resume', () => console.log('resume')).on('end', () => console.log('end'));
console.log(states());
for (const letter of 'abcd') source.push(letter);
source.push(null);
const both = new Readable({ read() {} });
both.on('data', (c) => console.log('both data', String(c)));
const onReadable = () => console.log('both readable', both.readableFlowing, String(both.read()));
both.on('readable', onReadable);
both.push('one');
setTimeout(() => {
  both.off('readable', onReadable);
  both.push('two');
  both.push(null);
}, 100);
both.on('end', () => console.log('both end'));
