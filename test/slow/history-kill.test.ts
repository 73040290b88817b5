import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { openSqlite } from '../../src/history/store/sqlite/driver.js'
import { verifyHistory } from '../../src/history/verify.js'
import { sample } from '../history/samples.js'
import { temporaryFolder } from '../support/folder.js'

const EXECUTABLE = fileURLToPath(new URL('../../bin/foreproof.js', import.meta.url))
const folder = temporaryFolder()
const TOTAL = 5000
const KILLS = 30

function writeRows(): string {
  const path = join(folder, 'rows.ndjson')
  const lines: string[] = []
  for (let n = 0; n < TOTAL; n++) {
    const row = sample({ hour: Math.floor(n / 4), horizon: 1 + (n % 4) })
    // Every tenth is kept whole and every third has provenance: rows in all tables.
    const lineage = n % 3 === 0 ? { ...row.lineage, provenance: { vintage_id: 'v' } } : row.lineage
    lines.push(JSON.stringify({ ...row, lineage, ...(n % 10 === 0 && { later: n }) }))
  }
  writeFileSync(path, lines.join('\n'))
  return path
}

const start = (file: string, history: string, batch: readonly string[]) =>
  spawn(process.execPath, [EXECUTABLE, 'history', 'import', file, '--history', history, ...batch], {
    stdio: 'ignore',
  })

/** What a killed import left, after the recovery that any writer begins with. */
function leftIn(history: string) {
  if (!existsSync(history)) return undefined
  const db = openSqlite(history)
  try {
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
    const tables = db.prepare("SELECT count(*) FROM sqlite_master WHERE name LIKE 'fore%'").pluck()
    if (tables.get() === 0) return undefined
    const count = (table: string) =>
      Number(db.prepare(`SELECT count(*) FROM ${table}`).pluck().get())
    return {
      forecasts: count('forecast_predictions'),
      provenance: count('foreproof_provenance'),
      whole: count('foreproof_resources'),
      entries: count('foreproof_log_entries'),
      orphans: Number(
        db
          .prepare(
            'SELECT count(*) FROM forecast_predictions WHERE origin_at NOT IN (SELECT origin_at FROM forecast_origins)',
          )
          .pluck()
          .get(),
      ),
    }
  } finally {
    db.close()
  }
}

describe('history import, killed at random moments', () => {
  it.each([
    ['in batches of 125', ['--batch', '125'], 125],
    ['in one transaction', [], TOTAL],
  ])('leaves only whole batches, %s', async (_name, batch, size) => {
    const file = writeRows()
    const clean = join(folder, `clean-${size}.sqlite`)
    const began = performance.now()
    await once(start(file, clean, batch), 'exit')
    let whole = performance.now() - began
    const seen = new Set<number>()
    for (let kill = 0; kill < KILLS; kill++) {
      const history = join(folder, `killed-${size}-${kill}.sqlite`)
      const child = start(file, history, batch)
      const begun = performance.now()
      const ended = once(child, 'exit').then(([code]) => ({
        code,
        after: performance.now() - begun,
      }))
      await sleep(Math.random() * whole * 1.1)
      child.kill('SIGKILL')
      const { code, after } = await ended
      const left = leftIn(history)
      // Others use the machine now more, now less: moments that were all too late or too early would show nothing.
      if (code !== null) whole = after
      else if (left === undefined) whole *= 1.1
      if (left !== undefined) {
        expect(left.forecasts % size).toBe(0)
        expect(left.orphans).toBe(0)
        expect(left.entries).toBe(left.forecasts)
        expect(left.provenance).toBe(Math.ceil(left.forecasts / 3))
        expect(left.whole).toBe(Math.ceil(left.forecasts / 10))
      }
      seen.add(left?.forecasts ?? -1)
      if (kill % 10 === 0) {
        await once(start(file, history, batch), 'exit')
        expect(leftIn(history)?.forecasts).toBe(TOTAL)
        expect((await verifyHistory(history)).findings).toEqual([])
      }
      rmSync(history, { force: true })
      rmSync(`${history}-journal`, { force: true })
    }
    // Otherwise the kills all came too early or too late to show anything.
    if (size < TOTAL) expect(seen.size).toBeGreaterThan(5)
  })
})
