// for await over stdin.
// stdin: abc\ndef
(async () => {
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  console.log(Buffer.concat(chunks).toString().toUpperCase());
})();
