// import() in text that eval and Function compile: relative to the file.
(async () => {
  const imports = [() => eval("import('./fixtures/value.mjs')"), () => new Function("return import('./fixtures/value.mjs')")(), () => (0, eval)("import('./fixtures/value.mjs')")];
  for (const run of imports) console.log((await run()).default);
})();
