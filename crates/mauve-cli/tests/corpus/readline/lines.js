// Lines of stdin: all line endings, and a last line without one.
// stdin: one\ntwo\r\nthree\rfour\n\nfive
const readline = require('readline');
const rl = readline.createInterface({ input: process.stdin });
rl.on('line', (line) => console.log('line', JSON.stringify(line)));
rl.on('pause', () => console.log('pause')).on('close', () => console.log('close', rl.closed));
console.log(rl.terminal, rl.line, rl.getPrompt());
