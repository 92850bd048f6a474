const t = setInterval(function (a, b) { console.log(this === t, a, b); clearInterval(this); }, 1, 'a', 'b');
const u = setTimeout(function () { console.log(this === u, this.constructor.name); }, 1);
