// A server that builds a report for each request. See ../blocked-loop.md.
const http = require("http");

const rows = Array.from({ length: 60000 }, (_, id) => ({ id, name: `row ${id % 977}` }));

function buildReport() {
  const names = [];
  for (const row of rows) {
    // Searches the list for each row, so the time grows with the number of names.
    if (!names.includes(row.name)) names.push(row.name);
  }
  return names.sort().join("\n");
}

const server = http.createServer((request, response) => {
  if (request.url === "/report") response.end(buildReport());
  else response.end("ok\n");
});

server.listen(0, "127.0.0.1", async () => {
  const { port } = server.address();
  const get = (path) =>
    new Promise((resolve) => http.get({ port, path }, (r) => r.resume().on("end", resolve)));
  for (let round = 0; round < 20; round++) {
    await Promise.all([get("/"), get("/"), get(round === 10 ? "/report" : "/"), get("/")]);
  }
  server.close();
});
