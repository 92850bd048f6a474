// inquirer, with keys from a stream.
import { PassThrough } from 'node:stream';
import inquirer from 'inquirer';
const input = new PassThrough();
const output = new PassThrough();
let screen = '';
output.on('data', (chunk) => { screen += chunk; });
const prompt = inquirer.createPromptModule({ input, output });
const keys = (...list) => { list.forEach((key, i) => setTimeout(() => input.write(key), 50 * (i + 1))); };
const ask = (question, ...list) => { keys(...list); return prompt([question]); };
console.log(await ask({ type: 'input', name: 'name', message: 'Your name?', default: 'nobody' }, 'mauve', '\r'));
console.log(await ask({ type: 'confirm', name: 'sure', message: 'Sure?' }, 'n', '\r'));
console.log(await ask({ type: 'select', name: 'colour', message: 'Which?', choices: ['red', 'green', 'blue'] }, '\x1b[B', '\x1b[B', '\r'));
console.log(await ask({ type: 'checkbox', name: 'many', message: 'Which ones?', choices: ['a', 'b', 'c'] }, ' ', '\x1b[B', '\x1b[B', ' ', '\r'));
console.log(await ask({ type: 'number', name: 'n', message: 'How many?' }, '4', '2', '\r'));
console.log(await ask({ type: 'password', name: 'secret', message: 'Secret?', mask: '*' }, 'abc', '\r'));
console.log(screen.includes('Your name?'), screen.includes('***'), screen.includes('abc'));
