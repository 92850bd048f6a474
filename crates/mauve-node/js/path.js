// Paths. (Placeholder until the full module is merged.)
function normalize(p) { const out = []; for (const s of p.split('/')) { if (s === '' || s === '.') continue; if (s === '..') { if (out.length) out.pop(); } else out.push(s); } return (p.startsWith('/') ? '/' : '') + out.join('/') || '.'; }
exports.isAbsolute = (p) => p.startsWith('/');
exports.join = (...parts) => normalize(parts.filter(Boolean).join('/'));
exports.resolve = (...parts) => { let r = ''; for (const p of parts.reverse()) { r = r ? `${p}/${r}` : p; if (p.startsWith('/')) break; } return normalize(r.startsWith('/') ? r : `${process.cwd()}/${r}`); };
exports.dirname = (p) => { const i = p.lastIndexOf('/'); return i < 0 ? '.' : i === 0 ? '/' : p.slice(0, i); };
exports.basename = (p, e) => { const b = p.slice(p.lastIndexOf('/') + 1); return e && b.endsWith(e) ? b.slice(0, -e.length) : b; };
exports.extname = (p) => { const b = exports.basename(p); const i = b.lastIndexOf('.'); return i <= 0 ? '' : b.slice(i); };
