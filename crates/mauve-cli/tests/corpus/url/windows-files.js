// pathToFileURL with the option `windows`, and characters that are escaped.
const { pathToFileURL } = require('url');
const paths = ['C:\\a b\\c', 'C:\\dir\\', 'c:/x?y#z', 'C:\\tab\t%\r\n^[]|~', '\\\\server\\share\\f i', '\\\\?\\UNC\\s\\r\\x', '\\\\?\\D:\\y'];
for (const path of paths) console.log(pathToFileURL(path, { windows: true }).href);
for (const path of ['/a\\b|~^[x]', '/ä/', '/x/../y']) console.log(pathToFileURL(path, { windows: false }).href, pathToFileURL(path).href);
for (const path of ['\\\\server', '\\\\\\x']) {
  try {
    console.log(pathToFileURL(path, { windows: true }).href);
  } catch (error) {
    console.log(error.code, error.message);
  }
}
