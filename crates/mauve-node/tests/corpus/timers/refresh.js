const began = Date.now();
const t = setTimeout(() => console.log('refreshed', Date.now() - began >= 150), 100);
setTimeout(() => { console.log('refresh'); t.refresh(); }, 60);
let again = 2;
const r = setTimeout(() => { console.log('again', again); if (again-- > 0) r.refresh(); }, 2);
