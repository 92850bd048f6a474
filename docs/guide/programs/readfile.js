// What fs.readFile does, as four operations.
// phases
const fs = require('fs');

function readFile(path, callback) {
  fs.open(path, 'r', function opened(openError, fd) {
    if (openError) throw openError;
    console.log('1: opened');
    fs.fstat(fd, function queried(statError, { size }) {
      if (statError) throw statError;
      console.log(`2: its size is known: ${size > 0}`);
      fs.read(fd, Buffer.alloc(size), 0, size, 0, function readDone(readError, count, data) {
        if (readError) throw readError;
        console.log(`3: all bytes are read: ${count === size}`);
        fs.close(fd, function closed() {
          console.log('4: closed');
          callback(data);
        });
      });
    });
  });
}

readFile(__filename, (data) => {
  fs.readFile(__filename, (_, same) => console.log(`fs.readFile reads the same: ${same.equals(data)}`));
});
