// The stdio pipes of a child are instances of net.Socket.
const { spawn } = require('child_process');
const net = require('net');

const child = spawn('cat', { stdio: ['pipe', 'pipe', 'inherit', 'pipe'] });
for (const stream of child.stdio) {
  console.log(stream instanceof net.Socket, stream?.readable, stream?.writable);
}
child.stdout.setEncoding('utf8');
child.stdout.on('data', (text) => console.log(text));
child.stdout.on('end', () => console.log('end', child.stdout.bytesRead, child.stdin.bytesWritten));
child.on('close', (code) => console.log('close', code));
child.stdin.end('hello');
