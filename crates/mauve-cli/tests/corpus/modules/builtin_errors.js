for (const id of ['node:nothing', './gone', 'gone', '@scope/gone']) {
  try { require(id); } catch (e) { console.log(e.code, e.message.split('\n')[0].replace(__dirname, '')); }
}
try { require(''); } catch (e) { console.log(e.code, e.message); }
try { require(5); } catch (e) { console.log(e.code, e.message); }
