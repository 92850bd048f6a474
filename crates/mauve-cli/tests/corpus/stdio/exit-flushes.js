// All output before process.exit() is written.
for (let i = 0; i < 2000; i++) console.log(`line ${i} ${'x'.repeat(50)}`);
process.stdout.write('last\n');
process.exit(4);
