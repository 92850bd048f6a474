// Converts standard input to upper case: cat README.md | mauve run examples/upper.js | head -1
process.stdin.setEncoding('utf8');
process.stdin.on('data', (text) => process.stdout.write(text.toUpperCase()));
