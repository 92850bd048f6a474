let again = 2;
const r = setTimeout(() => { console.log('again', again); if (again-- > 0) r.refresh(); }, 2);
