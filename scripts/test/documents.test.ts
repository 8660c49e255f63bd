import tap from 'tap'
import { existsSync, readFileSync } from 'node:fs'
import type { TObject } from 'typebox'
import { HouseConfig, readConfigs, settingsElsewhere } from '../../shared/config/config.ts'
import { documents } from '../documents.ts'
import { DoorConfig } from '../front-door/config.ts'
import { suite } from '../suite.ts'

tap.test('the committed documents say what the code says', async t => {
  for (const [path, content] of Object.entries(await documents())) {
    t.ok(existsSync(path), `${path} is committed`)
    t.ok(readFileSync(path, 'utf8') === content, `${path} is up to date; \`npm run openapi\` writes it`)
  }
})

tap.test('one file of settings serves every process: each knows the names of the others, and no typo', async t => {
  const schemas = [DoorConfig, ...suite.map(({ config }) => config as TObject)]
  const names = schemas.flatMap(({ properties }) => Object.keys(properties))
  t.same([...settingsElsewhere].sort(), names.sort())
  const env = Object.fromEntries(names.map(name => [`VIVA_${name}`, '']))
  for (const schema of schemas) t.doesNotThrow(() => readConfigs([HouseConfig, schema], env))
  t.throws(() => readConfigs([HouseConfig, DoorConfig], { VIVA_PARSING_UPLOD_MB: '1' }), /VIVA_PARSING_UPLOD_MB is not/)
})

interface Operation { operationId?: string, summary?: string, tags?: string[], responses: object }

tap.test('every operation has a name of its own, a plain summary, a tag in walking order and an answer', async t => {
  const { paths, tags } = JSON.parse((await documents())['openapi/viva.json'] ?? '') as {
    paths: Record<string, Record<string, Operation>>
    tags: Array<{ name: string }>
  }
  const names = new Set<string>()
  const known = tags.map(({ name }) => name)
  t.strictSame(known, ['parsing', 'generation', 'reviewing', 'inference', 'scoring', 'operations'])
  for (const [path, operations] of Object.entries(paths)) {
    t.match(path, /^\/(v1|health|metrics$|problems)/, `${path} is versioned or the app's own`)
    for (const [method, { operationId, summary, tags: own, responses }] of Object.entries(operations)) {
      const place = `${method} ${path}`
      t.ok(operationId && !names.has(operationId), `${place} has a name of its own`)
      names.add(String(operationId))
      t.ok(summary, `${place} has a summary`)
      t.ok(own?.every(tag => known.includes(tag)), `${place} has a tag`)
      t.ok('4XX' in responses && '5XX' in responses, `${place} names its problems`)
    }
  }
  t.ok(names.size > 40)
})
