import { createReadStream, existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { exportLines } from '../../src/history/export.js'
import { importFiles } from '../../src/history/import/import-files.js'
import { temporaryFolder } from '../support/folder.js'
import { HISTORY_PAGE, sample, sampleAttempt } from './samples.js'
import { allOf, EPOCH } from './support.js'

const folder = temporaryFolder()
const ROWS = 4000

function* values(): Generator<unknown> {
  for (let n = 0; n < ROWS; n++) {
    const hour = Math.floor(n / 8)
    const row = sample({ hour, horizon: 1 + (n % 4), model: n % 8 < 4 ? 'alpha' : 'é' })
    const variety = n % 23
    if (variety === 3) yield sampleAttempt({ hour, horizon: 99 })
    else if (variety === 5) yield { ...row, later: n }
    else if (variety === 7) yield { ...row, run: { ...row.run, id: `other-${n}` } }
    else if (variety === 11) yield { ...row, provenance: { vintage_id: 'v' } }
    else if (variety === 13) yield HISTORY_PAGE([row])
    else if (variety === 17)
      yield { ...row, interval: { level: 0.8, lower_usd: null, median_usd: null, upper_usd: null } }
    else yield row
    if (variety === 19) yield { ...row, estimate: { price_usd: 50_000 + n / 1e3, change_pct: 0 } }
    if (variety === 20) yield row
  }
}

function write(name: string, change: (lines: string[]) => void = () => {}): string {
  const lines = [...values()].map((value) => JSON.stringify(value))
  lines[40] = `\r\n${lines[40]}\r`
  change(lines)
  const path = join(folder, name)
  writeFileSync(path, lines.join('\n'))
  return path
}

let histories = 0

/** @param chunk - size of the pieces that come by standard input; the file itself without it. */
const imported = async (file: string, chunk?: number) => {
  const history = join(folder, `${++histories}.sqlite`)
  const { findings, ...report } = await importFiles(history, [chunk === undefined ? file : '-'], {
    now: EPOCH * 1000,
    ...(chunk !== undefined && { stdin: createReadStream(file, { highWaterMark: chunk }) }),
  })
  const written = existsSync(history) ? (await allOf(exportLines(history))).join('') : ''
  return { report, findings: findings.map(({ file: _, ...finding }) => finding), written }
}

it('imports the same in chunks of any size', async () => {
  const file = write('mixed.ndjson')
  // Read in pieces of one mebibyte, as every file is.
  expect(statSync(file).size).toBeGreaterThan(3 * 1024 * 1024)
  const alone = await imported(file)
  expect(alone.report.forecasts.added).toBeGreaterThan(750)
  expect(alone.report.forecasts.conflicts).toBeGreaterThan(25)
  expect(alone.report.forecasts.unchanged).toBeGreaterThan(25)
  expect(alone.report.attempts.added).toBeGreaterThan(25)
  for (const chunk of [777, 65_536]) expect(await imported(file, chunk)).toEqual(alone)
})

it('rejects the same at the same place in chunks of any size', async () => {
  const file = write('bad.ndjson', (lines) => {
    lines[2600] = lines[2600]?.slice(0, 300) ?? ''
    lines[3750] = JSON.stringify({ ...sample(), horizon_hours: 0 })
  })
  const alone = await imported(file)
  expect(alone.report.rejected).toBe(2)
  expect(alone.written).toBe('')
  for (const chunk of [777, 65_536]) expect(await imported(file, chunk)).toEqual(alone)
})
