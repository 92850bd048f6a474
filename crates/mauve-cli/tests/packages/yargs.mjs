// yargs: commands, options, help and errors.
import yargs from 'yargs';
const parse = async (args) => {
  console.log('$', args);
  await yargs(args).scriptName('tool').usage('$0 <command>').option('verbose', { alias: 'v', type: 'count', describe: 'say more' })
    .command('add <a> [b..]', 'add numbers', (y) => y.positional('a', { type: 'number' }).positional('b', { type: 'number' }), (argv) => console.log('sum', [argv.a, ...(argv.b ?? [])].reduce((x, y) => x + y), argv.verbose))
    .command('fail', 'always fails', {}, async () => { throw new Error('on purpose'); })
    .option('size', { choices: ['s', 'm'], default: 's' }).option('list', { type: 'array' })
    .demandCommand(1).strict().wrap(70).exitProcess(false).version('1.2.3')
    .parse(args, {}, (error, argv, output) => { if (error) console.log('error', error.message); if (output) console.log(output); else console.log(argv._, argv.size, argv.list); });
};
await parse('add 1 2 3 -vv');
await parse('--help');
await parse('add --help');
await parse('--version');
await parse('');
await parse('add x --size l');
await parse('nothing');
await parse('add 1 --list a b c --size m');
await parse('fail').catch((error) => console.log('rejected', error.message));
