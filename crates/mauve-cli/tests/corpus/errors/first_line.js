const o = {}; try { o.foo(1, 2); } catch (error) { console.log(error.message); } try { new o.Bar('x'); } catch (error) { console.log(error.message); }
console.log('the messages name what the first line calls');
