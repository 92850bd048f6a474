process.chdir('/');
console.log(process.cwd());
try { process.chdir('/no/such/place'); } catch (e) { console.log(e.code, e.message); }
try { process.chdir(5); } catch (e) { console.log(e.code); }
