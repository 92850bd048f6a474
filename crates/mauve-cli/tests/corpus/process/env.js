// env: GREETING=hello world
console.log(process.env.GREETING, process.env.NOT_SET, 'GREETING' in process.env, delete process.env.GREETING, process.env.GREETING);
process.env.NUMBER = 5; process.env.UNDEF = undefined; process.env.NULL = null;
console.log(process.env.NUMBER, process.env.UNDEF, process.env.NULL, Object.keys(process.env).includes('NUMBER'));
