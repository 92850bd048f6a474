// Writes a file and reads it back.
const { open, readFile, unlink } = require('fs/promises');

async function main() {
  const file = await open('hello.txt', 'w+');
  console.log('opened');
  const { bytesWritten } = await file.write('hello, file', 0);
  console.log(`wrote ${bytesWritten} bytes`);
  console.log(`its size is ${(await file.stat()).size}`);
  const { bytesRead, buffer } = await file.read(Buffer.alloc(64), 0, 64, 0);
  console.log(`read ${bytesRead} bytes: ${buffer.toString('utf8', 0, bytesRead)}`);
  await file.close();
  await readFile('missing').catch((error) => console.log(`opening a missing file fails: ${error.code}`));
  await unlink('hello.txt');
}

main();
