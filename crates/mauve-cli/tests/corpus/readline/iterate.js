// for await over lines.
// stdin: 1\n2\n3\n
const readline = require('readline');
(async () => {
  let sum = 0;
  const rl = readline.createInterface({ input: process.stdin, crlfDelay: Infinity });
  for await (const line of rl) sum += Number(line);
  console.log(sum);
  const { Readable } = require('stream');
  for await (const line of readline.createInterface({ input: Readable.from(['a\nb', 'c\n', 'd']) })) {
    console.log(line);
    if (line === 'bc') break;
  }
})();
