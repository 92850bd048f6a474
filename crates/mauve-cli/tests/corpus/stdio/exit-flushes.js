// Everything that was written before the exit arrives.
for (let i = 0; i < 2000; i++) console.log(`line ${i} ${'x'.repeat(50)}`);
process.stdout.write('last\n');
process.exit(4);
