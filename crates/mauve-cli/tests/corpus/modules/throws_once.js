for (let i = 0; i < 2; i++) { try { require('./fixtures/thrower'); } catch (e) { console.log(e.message); } }
