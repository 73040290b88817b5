import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type AccessEntry, accessText, chained } from '../../src/protocol/readings.js'
import { sql } from '../evaluation/stamped-world.js'
import { copyOf, makeWorld, type World } from '../evaluation/world.js'
import { inProcess } from '../support/in-process.js'
import { readText, writeText } from '../support/text-file.js'

/** Scored twice: the forecasts of the second reading are others. */
let made: World
beforeAll(async () => {
  made = await makeWorld({ hours: 60, replicates: 100 })
  expect((await score(made, 'first')).code).toBe(0)
  sql(
    made.paths.history,
    'UPDATE forecast_predictions SET predicted_price_usd = predicted_price_usd * 1.000001',
  )
  expect((await score(made, 'second')).code).toBe(0)
  expect((await score(made, 'third')).code).toBe(0)
}, 60_000)

let world: World
beforeEach(() => {
  world = copyOf(made)
})

function score({ paths, folder }: World, out: string) {
  const { registration, history, outcomes } = paths
  const inputs = ['--registration', registration, '--history', history, '--outcomes', outcomes]
  return inProcess(['score', ...inputs, '--out', join(folder, out)])
}

const BECAUSE = ['--reason', 'A column was read twice.']
const digestOf = (name: string): string =>
  JSON.parse(readFileSync(join(world.folder, name, 'result.json'), 'utf8')).result_sha256
const ledger = () => join(world.paths.protocol, 'ledger.jsonl')
const lines = () => readText(ledger()).trim().split('\n')
const correct = (name: string, ...more: string[]) =>
  inProcess(['correct', join(world.folder, name), ...BECAUSE, ...more])

describe('correct', () => {
  it('enters that a later result replaces the first, and says first what was changed', async () => {
    const before = lines()
    // Two results were entered: the third reading gave the second result again.
    expect(before).toHaveLength(4)
    const { code, stdout } = await correct('second', '--replaces', digestOf('first'))
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('Forecasts were changed after outcomes were read.'),
    ])
    const [entry, ...others] = lines().slice(4)
    expect([lines().slice(0, 4), others]).toEqual([before, []])
    expect(JSON.parse(entry ?? '')).toMatchObject({
      ...{ seq: 5, replaces: digestOf('first'), result_sha256: digestOf('second') },
      ...{ reason: 'A column was read twice.', protocol_version: 'made-1' },
    })
    const verified = await inProcess(['verify', world.paths.protocol])
    expect([verified.code, verified.stdout]).toEqual([0, expect.not.stringContaining('replaces')])
  })

  it.each([
    ['first', () => digestOf('first'), 'is the first result of its registration'],
    ['second', () => digestOf('second'), 'is not the first result'],
    ['second', () => 'c'.repeat(64), 'is not the first result'],
  ])('refuses %s for another first result: %#', async (name, replaces, says) => {
    const before = lines()
    const { code, stderr } = await correct(name, '--replaces', replaces())
    expect([code, stderr, lines()]).toEqual([1, expect.stringContaining(says), before])
  })

  it('refuses a result that the ledger lost, and one whose readings are gone', async () => {
    const first = digestOf('first')
    const access = join(world.paths.protocol, 'access')
    const whole = readText(ledger())
    writeText(ledger(), `${lines().slice(0, 3).join('\n')}\n`)
    const lost = await correct('second', '--replaces', first)
    expect([lost.code, lost.stderr]).toEqual([1, expect.stringContaining('is not in the ledger')])
    writeText(ledger(), whole)
    rmSync(access, { recursive: true })
    const gone = await correct('second', '--replaces', first)
    expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining('does not have both')])
    expect([existsSync(access), readText(ledger())]).toEqual([false, whole])
  })

  it('refuses a result of the same forecasts, outcomes and code', async () => {
    // A record written again, in which the second run read what the first one did.
    const [name = ''] = readdirSync(join(world.paths.protocol, 'access'))
    const file = join(world.paths.protocol, 'access', name)
    const entries: AccessEntry[] = []
    for (const line of readText(file).trim().split('\n')) {
      const { seq: _, previous: __, entry_sha256: ___, ...fields } = JSON.parse(line) as AccessEntry
      const { history_sha256 = fields.history_sha256 } = entries[0] ?? {}
      entries.push(chained({ ...fields, history_sha256 }, entries.at(-1)))
    }
    writeText(file, accessText(entries))
    const { code, stderr } = await correct('second', '--replaces', digestOf('first'))
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('forecasts, outcomes and code are those of the first result'),
    ])
  })
})
