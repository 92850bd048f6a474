// Texts of values that cannot be destructured, iterated or spread.
function f() {}
try { const {a} = null } catch (e) { console.log(e.message); }
try { const {a} = undefined } catch (e) { console.log(e.message); }
try { const x = undefined; const {a} = x } catch (e) { console.log(e.message); }
try { const x = {}; const {a} = x.y } catch (e) { console.log(e.message); }
try { const {a: {b}} = {} } catch (e) { console.log(e.message); }
try { const {["k"]: q} = null } catch (e) { console.log(e.message); }
try { (({a}) => a)() } catch (e) { console.log(e.message); }
try { (({a}) => a)(null) } catch (e) { console.log(e.message); }
try { const {...r} = null } catch (e) { console.log(e.message); }
try { ({a: globalThis.zz} = null) } catch (e) { console.log(e.message); }
try { let a = 0; ({a} = null); a++ } catch (e) { console.log(e.message); }
try { const [a] = null } catch (e) { console.log(e.message); }
try { const [a] = 5 } catch (e) { console.log(e.message); }
try { const [a] = {} } catch (e) { console.log(e.message); }
try { f(...5) } catch (e) { console.log(e.message); }
try { f(...null) } catch (e) { console.log(e.message); }
try { f(...undefined) } catch (e) { console.log(e.message); }
try { const o = {}; f(...o) } catch (e) { console.log(e.message); }
try { const u = undefined; f(...u) } catch (e) { console.log(e.message); }
try { f(1, ...5) } catch (e) { console.log(e.message); }
try { Math.max(...5) } catch (e) { console.log(e.message); }
try { new f(...5) } catch (e) { console.log(e.message); }
try { [...5] } catch (e) { console.log(e.message); }
try { [...null] } catch (e) { console.log(e.message); }
try { const x = {y: 5}; f(...x.y) } catch (e) { console.log(e.message); }
try { const x = {y: 5}; [...x.y] } catch (e) { console.log(e.message); }
try { for (const x of 5); } catch (e) { console.log(e.message); }
try { for (const {a} of [null]); } catch (e) { console.log(e.message); }
try { for (const [a] of [null]); } catch (e) { console.log(e.message); }
try { const {a} = f() } catch (e) { console.log(e.message); }
try { const {a = 1} = null } catch (e) { console.log(e.message); }
try { (([a]) => a)() } catch (e) { console.log(e.message); }
