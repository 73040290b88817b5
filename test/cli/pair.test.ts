import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { chosenModels } from '../../src/cli/commands/pair.js'
import { formatUtc, MICROS_PER_HOUR } from '../../src/contract/instant.js'
import { STATUS_OF } from '../../src/pairing/types.js'
import { openSqlite } from '../../src/store/sqlite/driver.js'
import { CASES, LAST_CLOSE, rows } from '../pairing/by-hand.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'
import { ROOT } from '../support/run.js'

const folder = temporaryFolder()

const PROTOCOL = join(ROOT, 'protocols/btcusd-hourly-1.json')
const inside = (name: string) => join(folder, name)
const INPUTS = { protocol: PROTOCOL, history: inside('h.sqlite'), outcomes: inside('closes.csv') }
const WINDOW = ['--from', '2025-07-31T12:00:00Z', '--to', '2025-07-31T15:30:00Z']

/** Pairs the inputs, or others in their place. */
const pair = (args: readonly string[] = [], others: Partial<typeof INPUTS> = {}) =>
  inProcess([
    'pair',
    ...Object.entries({ ...INPUTS, ...others }).flatMap(([name, value]) => [`--${name}`, value]),
    ...args,
  ])

/** Verdicts that do not need a registration hold in a retrospective run of the same rows. */
const RETROSPECTIVE = new Set(['generated_after_target', 'before_registration'])

beforeAll(() => {
  const lines = Array.from({ length: 48 }, (_, hour) => {
    const at = LAST_CLOSE - (47 - hour) * MICROS_PER_HOUR
    return `${formatUtc(at)},${100_000 + hour}.0\n`
  })
  writeFileSync(INPUTS.outcomes, `close_at,close_usd\n${lines.join('')}`)
  writeHistory(INPUTS.history)
})

/**
 * The rows that were judged by hand, as a producer and foreproof store them. Origins are shared, so
 * rows that need an origin of their own (its price, its time of making) get it by their model alone.
 */
function writeHistory(path: string): void {
  const db = openSqlite(path)
  db.exec(`
    CREATE TABLE forecast_origins (origin_at TEXT PRIMARY KEY, generated_at TEXT, source_price_usd REAL NOT NULL);
    CREATE TABLE forecast_predictions (
      origin_at TEXT NOT NULL, model_name TEXT NOT NULL, horizon_hours INTEGER NOT NULL,
      target_at TEXT NOT NULL, predicted_price_usd REAL NOT NULL, predicted_change_pct REAL NOT NULL,
      q10_usd REAL, q50_usd REAL, q90_usd REAL, PRIMARY KEY (origin_at, model_name, horizon_hours));
    CREATE TABLE foreproof_attempts (
      origin_at TEXT NOT NULL, model_name TEXT NOT NULL, horizon_hours INTEGER NOT NULL,
      status TEXT NOT NULL, reason TEXT, recorded_at TEXT, PRIMARY KEY (origin_at, model_name, horizon_hours));
    CREATE TABLE foreproof_provenance (
      origin_at TEXT NOT NULL, model_name TEXT NOT NULL, horizon_hours INTEGER NOT NULL,
      input_available_at TEXT, selection_data_through TEXT, vintage_id TEXT, vintage_sha256 TEXT,
      PRIMARY KEY (origin_at, model_name, horizon_hours));`)
  const origin = db.prepare('INSERT OR IGNORE INTO forecast_origins VALUES (?, ?, 117000)')
  const forecast = db.prepare('INSERT INTO forecast_predictions VALUES (?, ?, ?, ?, ?, 0, ?, ?, ?)')
  const attempt = db.prepare("INSERT INTO foreproof_attempts VALUES (?, ?, ?, ?, 'made', ?)")
  const provenance = db.prepare('INSERT INTO foreproof_provenance VALUES (?, ?, ?, ?, ?, ?, ?)')
  for (const row of rows()) {
    const key = [row.originAt, row.model, row.horizon]
    if (row.attempt !== null) attempt.run(...key, row.attempt, row.originAt)
    if (row.forecast === null || Number.isNaN(row.forecast)) continue
    origin.run(row.originAt, row.originAt)
    forecast.run(...key, row.targetAt, row.forecast, ...row.quantiles)
    if (row.inputAvailableAt === null && row.vintageId === null) continue
    const inputs = [row.inputAvailableAt, row.selectionDataThrough]
    provenance.run(...key, ...inputs, row.vintageId, row.vintageSha256)
  }
  db.close()
}

interface Line {
  origin_at: string
  horizon_hours: number
  model: string
  expected: boolean
  status: string
  reason: string
}

describe('pair', () => {
  it('gives the verdicts written down by hand, out of a database', async () => {
    const args = ['--as-of', '2025-08-01T06:00:00Z', '--models', 'alpha,beta', 'gamma']
    const out = inside('p.ndjson')
    const ran = await pair([...WINDOW, ...args, '--require-provenance', '--out', out])
    expect(ran.code, ran.stderr).toBe(0)
    const lines = readFileSync(out, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line)
    const grid = lines.filter(({ expected }) => expected)
    expect(grid).toHaveLength(48)
    let compared = 0
    CASES.forEach(([hour, horizon, model, given, reason], index) => {
      const line = grid[index]
      const key = [`2025-07-31T${hour}:00:00Z`, horizon, model]
      expect([line?.origin_at, line?.horizon_hours, line?.model]).toEqual(key)
      // What an origin's row or a table cannot store, or only a registration asks, was tested above.
      const own = typeof given === 'object' && ('sourcePrice' in given || 'generatedAt' in given)
      const unstored = typeof given === 'object' && Number.isNaN(given.forecast)
      if (own || unstored || RETROSPECTIVE.has(reason)) return
      compared++
      expect([...key, line?.status, line?.reason]).toEqual([...key, STATUS_OF[reason], reason])
    })
    expect(compared).toBeGreaterThanOrEqual(30)
    expect(ran.stdout).toContain('beside the grid  9 rows')
  })

  it('prints the same summary and writes the same bytes in every run, in either form', async () => {
    const out = inside('a.csv')
    const json = await pair(['--format', 'json', '--out', out])
    const again = await pair(['--format', 'json', '--out', out])
    expect(json.code, json.stderr).toBe(0)
    expect(again.stdout).toBe(json.stdout)
    const { summary, lines } = JSON.parse(json.stdout)
    expect(lines.format).toBe('csv')
    const csv = readFileSync(out, 'utf8')
    expect(csv.trimEnd().split('\n')).toHaveLength(lines.count + 1)
    const { expected, scored, failed, abstained, missing, ineligible } = summary.total
    expect(scored + failed + abstained + missing + ineligible).toBe(expected)
    const piped = await pair(['--csv', '--out', '-'])
    expect(piped.stdout).toBe(csv)
    expect(piped.stderr).toContain('expected attempts')
  })

  it('never prints a loss or a score', async () => {
    const { stdout } = await pair()
    expect(stdout).not.toMatch(/loss|error rate|pinball|coverage|accuracy/i)
  })

  it('warns of a model that the history does not have', async () => {
    const { code, stdout } = await pair(['--models', 'alpa'])
    expect(code).toBe(0)
    expect(stdout).toContain('Did you mean alpha?')
  })

  it('refuses a protocol that does not verify, and writes nothing', async () => {
    const text = readFileSync(PROTOCOL, 'utf8').replace('0.05', '0.04')
    const changed = { protocol: inside('changed.json') }
    writeFileSync(changed.protocol, text)
    const { code, stdout } = await pair(['--out', inside('never.ndjson')], changed)
    expect(code).toBe(1)
    expect(stdout).toContain('digest-mismatch')
    expect(existsSync(inside('never.ndjson'))).toBe(false)
  })

  it.each<[string, string[] | Partial<typeof INPUTS>, number, RegExp]>([
    ['a missing history', { history: inside('nothing.sqlite') }, 2, /no such file/],
    ['a history that is no database', { history: INPUTS.outcomes }, 1, /SQLite/],
    ['missing outcomes', { outcomes: inside('nothing') }, 2, /no such file/],
    ['outcomes that are none', { outcomes: PROTOCOL }, 1, /:1:1: the header/],
    ['a time without an offset', ['--from', '2025-07-31T12:00:00'], 2, /offset/],
    ['a window from back to front', ['--from', '2026-01-01T00:00:00Z'], 2, /before it begins/],
    [
      'a window without an hour',
      ['--from', '2025-07-31T12:10:00Z', '--to', '2025-07-31T12:20:00Z'],
      1,
      /no full hour/,
    ],
    ['a missing registration', ['--registration', inside('nothing.json')], 2, /no such file/],
    ['an output that is an input', ['--out', INPUTS.history], 2, /would replace an input/],
    ['an output in no folder', ['--out', inside('nowhere/p.ndjson')], 2, /no such file/],
    ['an output that is a folder', ['--out', folder], 2, /folder/],
  ])('%s has its own exit code', async (_name, change, code, says) => {
    const before = readdirSync(folder)
    const ran = Array.isArray(change) ? await pair(change) : await pair([], change)
    expect(ran).toMatchObject({ code, stderr: expect.stringMatching(says) })
    expect(ran.stderr).not.toContain('    at ')
    expect(readdirSync(folder)).toEqual(before)
  })
})

describe('chosenModels', () => {
  it('splits at commas, unless a name of the history has one', () => {
    expect(chosenModels(['a,b', 'a'], [])).toEqual(['a', 'b'])
    expect(chosenModels(['a,b'], ['a,b'])).toEqual(['a,b'])
  })

  it('is wrong usage where no name is left', () => {
    expect(() => chosenModels([' ,'], ['a'])).toThrow(
      expect.objectContaining({ code: 'usage', exitCode: 2 }),
    )
  })
})
