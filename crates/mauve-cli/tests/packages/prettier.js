// prettier: JavaScript, TypeScript, CSS, Markdown, YAML and JSON, and its command.
const prettier = require('prettier');
const { spawnSync } = require('child_process');
(async () => {
  const samples = {
    babel: 'const  a={b:1,c:[1,2,3].map(x=>x*2),d:async()=>{for await(const x of y)await z(x)}};class A extends B{#p=1;static{ }get x(){return this.#p}}',
    typescript: 'interface A<T extends string>{a?:T;readonly b:Record<string,number>}\nenum E{X=1}\nexport const f=<T,>(x:T):x is T=>true',
    css: 'a{color:red;background:url(x.png)}@media (max-width:10px){b{c:d}}',
    markdown: '# Title\n* a\n* b\n\n|a|b|\n|-|-|\n|1|long|\n',
    yaml: 'a:   1\nb: [1,   2]\nc:\n    - x\n',
    json: '{"a":1,"b":[1,2,{"c":null}]}',
    html: '<div><p>text <b>bold</b></p><ul><li>1<li>2</ul></div>',
  };
  for (const [parser, text] of Object.entries(samples)) console.log(parser + '\n' + await prettier.format(text, { parser, singleQuote: true }));
  await prettier.format('const = 1', { parser: 'babel' }).catch((error) => console.log(error.name, error.message));
  console.log(await prettier.check('a;\n', { parser: 'babel' }), (await prettier.getFileInfo('x.ts')).inferredParser);
  const { stdout, stderr, status } = spawnSync(process.execPath, [...process.execArgv, require.resolve('prettier/bin/prettier.cjs'), '--stdin-filepath', 'x.js'], { input: 'let  x = 1', encoding: 'utf8' });
  console.log(status, stdout, stderr);
})();
