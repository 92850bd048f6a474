// supertest, with an application of Express.
const request = require('supertest');
const express = require('express');
const app = express();
app.use(express.json());
app.get('/user', (request, response) => response.json({ name: 'john' }));
app.post('/user', (request, response) => response.status(201).set('Location', '/user/1').json(request.body));
app.get('/cookie', (request, response) => response.cookie('a', 'b').send(request.headers.cookie ?? 'none'));
(async () => {
  const first = await request(app).get('/user').set('Accept', 'application/json').expect('Content-Type', /json/).expect(200);
  console.log(first.body, first.headers['content-length']);
  const second = await request(app).post('/user').send({ name: 'new' }).expect(201);
  console.log(second.body, second.get('Location'));
  await request(app).get('/user').expect(404).catch((error) => console.log(error.message));
  await request(app).get('/user').expect({ name: 'jane' }).catch((error) => console.log(error.message.split('\n')[0]));
  const agent = request.agent(app);
  await agent.get('/cookie');
  console.log((await agent.get('/cookie')).text);
  request(app).get('/none').end((error, response) => console.log(error, response.status));
})();
