import tap from 'tap'
import { Type } from 'typebox'
import { createApp } from '../app.ts'

const json = { 'content-type': 'application/json' }

tap.test('a body whose schema has a default may be left out, and no other', async t => {
  const app = await createApp()
  t.teardown(async () => { await app.close() })
  const schema = (more: object) =>
    Type.Object({ n: Type.Integer({ default: 4 }) }, { additionalProperties: false, ...more })
  app.post('/free', { schema: { operationId: 'free', body: schema({ default: {} }) } }, async ({ body }) => body)
  app.post('/needed', { schema: { operationId: 'needed', body: schema({}) } }, async ({ body }) => body)
  const post = async (url: string, more: object = {}) => await app.inject({ method: 'POST', url, ...more })
  t.strictSame((await post('/free')).json(), { n: 4 })
  t.strictSame((await post('/free', { headers: json })).json(), { n: 4 }, 'nor does a content type need one')
  t.strictSame((await post('/free', { headers: json, payload: '{"n":5}' })).json(), { n: 5 })
  t.equal((await post('/free', { headers: json, payload: 'null' })).statusCode, 400, 'null is no default')
  t.equal((await post('/free', { headers: json, payload: '{"m":5}' })).statusCode, 400)
  t.match((await post('/needed')).json(), { type: '/problems/invalid-request' })
  t.match((await post('/needed', { headers: json })).json(), { type: '/problems/invalid-json' })
  const { paths } = (await app.inject('/openapi.json')).json()
  t.strictSame(['/free', '/needed'].map(path => paths[path].post.requestBody.required), [false, true])
})
