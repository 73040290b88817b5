import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tableOf } from '../../src/table/types.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'
import { written } from '../table/made.js'

const folder = temporaryFolder()

const COLUMNS = [
  { name: 'origin_at', type: 'instant' },
  { name: 'horizon_hours', type: 'integer' },
  { name: 'model', type: 'text' },
  { name: 'price_usd', type: 'number' },
  { name: 'source_price_usd', type: 'number' },
] as const

const hour = (n: number) => new Date(Date.UTC(2026, 0, 1, n)).toISOString()
const rowAt = (n: number) => [hour(n), 4, n % 7 ? 'a' : 'b', n + 1 / 3, n + 0.3]
const ROWS = Array.from({ length: 50 }, (_, n) => rowAt(n))

// Some of these files ask for runs of a billion values: without a process that is stopped, they would
// take all memory, or an hour.
test('a damaged Parquet file is imported or refused, with any byte changed', async () => {
  const bytes = await written(tableOf(COLUMNS, ROWS))
  const file = join(folder, 'mutant.parquet')
  const codes = new Set<number | null>()
  for (let at = 4; at < bytes.length - 8; at += 41) {
    const mutant = Buffer.from(bytes)
    mutant[at] = 0xff
    writeFileSync(file, mutant)
    const history = join(folder, `${at}.sqlite`)
    const argv = ['history', 'import', file, '--history', history]
    const { code, stdout, stderr } = await inProcess(argv)
    codes.add(code)
    expect([stderr, stdout.split('\n').length <= 20], `byte ${at}`).toEqual(['', true])
    expect(stdout, `byte ${at}`).not.toMatch(/\n\s+at .*:\d+:\d+|Error:/)
  }
  expect([...codes].sort()).toEqual([0, 1])
})
