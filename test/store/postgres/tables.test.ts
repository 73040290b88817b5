import { expect, it } from 'vitest'
import { createTables } from '../../../src/store/postgres/tables.js'

it.each(['a$1', 'a$$', 'a$&', 'a"b'])('tables are made in the schema of any name: %s', (schema) => {
  const made = (name: string) => createTables(name, '00').join('\n')
  const quoted = `"${schema.split('"').join('""')}"`
  expect(made(schema).split(quoted).join('"plain"')).toBe(made('plain'))
})
