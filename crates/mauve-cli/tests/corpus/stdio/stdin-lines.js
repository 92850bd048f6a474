// stdin as a stream, until it ends.
// stdin: one\ntwo\nthree\n
process.stdin.setEncoding('utf8');
let text = '';
console.log(process.stdin.fd, process.stdin.isTTY, process.stdin.readable);
process.stdin.on('data', (chunk) => (text += chunk));
process.stdin.on('end', () => console.log(JSON.stringify(text)));
process.stdin.on('close', () => console.log('close'));
