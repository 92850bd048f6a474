// cp: a file, a tree, errors, a filter.
const fs = require('fs');
const path = require('path');
const dir = fs.mkdtempSync(path.join(process.env.TMPDIR || '/tmp', 'corpus-'));
process.on('exit', () => fs.rmSync(dir, { recursive: true, force: true }));
const at = (...names) => path.join(dir, ...names);
fs.mkdirSync(at('src', 'deep'), { recursive: true });
fs.writeFileSync(at('src', 'one'), '1');
fs.writeFileSync(at('src', 'deep', 'two'), '2');
fs.cpSync(at('src', 'one'), at('copied'));
console.log(fs.readFileSync(at('copied'), 'utf8'));
fs.cpSync(at('src'), at('dst'), { recursive: true });
console.log(fs.readdirSync(at('dst'), { recursive: true }).sort());
const attempt = (...args) => {
  try {
    fs.cpSync(...args);
    console.log('ok');
  } catch (err) {
    console.log(err.name, err.code);
  }
};
attempt(at('src'), at('other'));
attempt(at('src', 'one'), at('copied'), { force: false, errorOnExist: true });
attempt(at('src', 'one'), at('copied'), { force: false });
attempt(at('src'), at('src', 'deep', 'inner'), { recursive: true });
attempt(at('none'), at('x'));
fs.cp(at('src'), at('filtered'), { recursive: true, filter: (from) => !from.endsWith('two') }, (err) => {
  console.log(err, fs.readdirSync(at('filtered'), { recursive: true }).sort());
  fs.promises.cp(at('src'), at('again'), { recursive: true }).then(() => console.log(fs.readdirSync(at('again')).sort()));
});
