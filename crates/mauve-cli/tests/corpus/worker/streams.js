// The standard streams of a worker.
const { Worker } = require('worker_threads');
const code = `
  let text = '';
  process.stdin.setEncoding('utf8').on('data', (chunk) => { text += chunk; }).on('end', () => {
    process.stdout.write('out ' + text);
    process.stderr.write('err ' + text);
    console.log('logged', process.stdout.isTTY, process.stdout.fd);
  });`;
const worker = new Worker(code, { eval: true, stdin: true, stdout: true, stderr: true });
const seen = { stdout: '', stderr: '' };
for (const name of ['stdout', 'stderr']) worker[name].on('data', (chunk) => { seen[name] += chunk; });
worker.on('exit', (exitCode) => {
  setImmediate(() => {
    console.log(exitCode, seen);
    const loud = new Worker('console.log("from the worker"); console.log("again")', { eval: true });
    loud.on('exit', () => console.log('after it'));
  });
});
worker.stdin.write('some ');
worker.stdin.end('input\n');
