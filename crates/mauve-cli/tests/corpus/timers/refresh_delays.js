const began = Date.now();
const t = setTimeout(() => console.log('refreshed', Date.now() - began >= 150), 100);
setTimeout(() => { console.log('refresh'); t.refresh(); }, 60);
