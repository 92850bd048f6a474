console.log(require('./fixtures/dir'), require('./fixtures/dir/'), require('./fixtures/index_only'));
console.log(require('./fixtures/uses_pkg'));
