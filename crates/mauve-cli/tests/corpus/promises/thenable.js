// A thenable takes an extra job.
const thenable = { then(resolve) { console.log('then called'); resolve('value'); } };
Promise.resolve(thenable).then((v) => console.log('thenable', v));
Promise.resolve().then(() => console.log(1)).then(() => console.log(2)).then(() => console.log(3));
