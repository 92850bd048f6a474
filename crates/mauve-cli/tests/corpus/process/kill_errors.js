try { process.kill('x'); } catch (e) { console.log(e.code); }
try { process.kill(process.pid, 'SIGNOPE'); } catch (e) { console.log(e.code, e.message); }
try { process.kill(2 ** 22 + 12345, 0); } catch (e) { console.log(e.code, e.syscall, e.message); }
