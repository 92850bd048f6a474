// read and write with offsets, positions and options.
const fs = require('fs');
const path = require('path');
const dir = fs.mkdtempSync(path.join(process.env.TMPDIR || '/tmp', 'corpus-'));
process.on('exit', () => fs.rmSync(dir, { recursive: true, force: true }));
const at = (...names) => path.join(dir, ...names);
const fd = fs.openSync(at('f'), 'w+');
console.log(fs.writeSync(fd, 'hello world'), fs.writeSync(fd, Buffer.from('XYZ'), 1, 2, 0), fs.writeSync(fd, 'é', 6, 'latin1'), fs.writeSync(fd, new Uint8Array([33]), { position: 11 }));
const buffer = Buffer.alloc(20, '.');
console.log(fs.readSync(fd, buffer, 2, 5, 0), String(buffer), fs.readSync(fd, buffer, { position: 6, length: 3, offset: 10 }), buffer.latin1Slice());
console.log(fs.readvSync(fd, [Buffer.alloc(3), Buffer.alloc(3)], 0), fs.writevSync(fd, [Buffer.from('12'), Buffer.from('34')], 2));
const views = [Buffer.alloc(3), new Uint8Array(4)];
console.log(fs.readvSync(fd, views, 0), views);
console.log(fs.readSync(fd, buffer, 0, 5, 100), fs.fstatSync(fd).size);
fs.ftruncateSync(fd, 4);
fs.futimesSync(fd, 100, 200.5);
console.log(fs.fstatSync(fd).atimeMs, fs.fstatSync(fd).mtimeMs, fs.fstatSync(fd).mtime.toISOString());
fs.write(fd, 'async', 0, (err, n, text) => {
  console.log('write', err, n, text);
  fs.read(fd, { buffer: Buffer.alloc(3), position: 1 }, (err2, count, data) => {
    console.log('read', err2, count, String(data));
    fs.writev(fd, [Buffer.from('a'), Buffer.from('bc')], 0, (err3, written, list) => {
      console.log('writev', err3, written, list.length);
      fs.readv(fd, [Buffer.alloc(2)], 0, (err4, got, into) => {
        console.log('readv', err4, got, into);
        fs.fsync(fd, (err5) => fs.close(fd, (err6) => console.log(err5, err6)));
      });
    });
  });
});
