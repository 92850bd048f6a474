// question(), and prompts on the output.
// stdin: Ada\n36\nrest\n
const readline = require('readline');
const rl = readline.createInterface({ input: process.stdin, output: process.stdout, prompt: 'more> ' });
rl.question('Name? ', (name) => {
  console.log(`[${name}]`);
  rl.question('Age? ', (age) => {
    console.log(`[${age}]`);
    rl.prompt();
  });
});
rl.on('line', (line) => console.log('line', line));
rl.on('close', () => {
  console.log('close');
  try {
    rl.question('x', () => {});
  } catch (err) {
    console.log(err.code, err.message);
  }
});
