// pg, against a real server.
const { Pool, Client } = require('pg');
(async () => {
  const connectionString = process.env.POSTGRES_URL;
  const pool = new Pool({ connectionString, max: 3 });
  await pool.query('DROP TABLE IF EXISTS items');
  await pool.query('CREATE TABLE items (id serial PRIMARY KEY, name text, price numeric, tags text[], data jsonb, at timestamptz, raw bytea)');
  const inserted = await pool.query('INSERT INTO items (name, price, tags, data, at, raw) VALUES ($1, $2, $3, $4, $5, $6) RETURNING *', ['näme', 12.5, ['a', 'b'], { deep: [1, null] }, new Date(0), Buffer.from([0, 255])]);
  console.log(inserted.rows, inserted.rowCount, inserted.fields.map((field) => field.name));
  const client = await pool.connect();
  await client.query('BEGIN');
  await client.query("INSERT INTO items (name) VALUES ('gone')");
  await client.query('ROLLBACK');
  client.release();
  console.log((await pool.query('SELECT count(*)::int AS n FROM items')).rows);
  console.log((await pool.query({ text: 'SELECT generate_series(1, $1::int) AS i', values: [5], rowMode: 'array', name: 'prepared' })).rows);
  console.log(await Promise.all(Array.from({ length: 10 }, (_, i) => pool.query('SELECT $1::int * 2 AS twice', [i]))).then((all) => all.map((one) => one.rows[0].twice)));
  await pool.query('SELECT nothing FROM nowhere').catch((error) => console.log(error.name, error.code, error.message, error.position));
  const listener = new Client({ connectionString });
  await listener.connect();
  const notified = new Promise((resolve) => listener.on('notification', ({ channel, payload }) => resolve({ channel, payload })));
  await listener.query('LISTEN events');
  await pool.query("NOTIFY events, 'hello'");
  console.log(await notified);
  await listener.end();
  await pool.end();
  await new Client({ host: '127.0.0.1', port: 1 }).connect().catch((error) => console.log(error.code));
})();
