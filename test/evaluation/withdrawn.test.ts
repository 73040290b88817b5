import { appendFileSync, copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { formatStored } from '../../src/contract/instant.js'
import { pairHistory } from '../../src/evaluation/pair-history.js'
import { exportLines } from '../../src/history/export.js'
import { importFiles } from '../../src/history/import/import-files.js'
import { verifyHistory } from '../../src/history/verify.js'
import { codeOf } from '../contract/args-of.js'
import { hourAt, LEAD_IN, VERDICT } from './made.js'
import { audited, scoreWorld } from './score-into.js'
import {
  makeStampedWorld,
  STAMPED_HOURS,
  seal,
  sql,
  type Witnesses,
  witnesses,
} from './stamped-world.js'
import { at, type World } from './world.js'

const ORIGIN = formatStored(hourAt(LEAD_IN + 9))
const KEY = `origin_at = '${ORIGIN}' AND horizon_hours = 4`
const TAKE_OUT = `DELETE FROM forecast_predictions WHERE ${KEY}`
const ATTEMPT = `INSERT INTO foreproof_attempts VALUES ('${ORIGIN}', 'seer', 4, 'abstained', 'quiet', NULL)`

let by: Witnesses
let world: World

/** Registered with a verdict: the edition in which what the log holds has to be shown. */
beforeAll(async () => {
  by = await witnesses('alpha')
  world = await makeStampedWorld({
    by,
    over: { inference: VERDICT },
  })
}, 60_000)

function copyWith(name: string, ...statements: string[]): string {
  const history = join(world.folder, `${name}.sqlite`)
  copyFileSync(world.paths.history, history)
  expect(sql(history, ...statements)).toBe(statements.length)
  return history
}

async function paired(history: string) {
  const found = await pairHistory({ ...world.paths, history })
  if (!found.ok) return found.findings.map(codeOf)
  return found.summary.reasons
}

/** The command of the finding: the origin of a copy, exported and imported. */
async function bringBack(history: string, from: string): Promise<readonly string[]> {
  const instant = at(ORIGIN)
  const lines = join(world.folder, 'origin.ndjson')
  writeFileSync(lines, '')
  for await (const line of exportLines(from, { from: instant, to: instant })) {
    appendFileSync(lines, line)
  }
  const { findings } = await importFiles(history, [lines], { now: instant, stdin: process.stdin })
  return findings.map(codeOf)
}

describe('a forecast that the log holds and the history does not show', () => {
  it('stops the score, by its name, until it is brought back from a copy', async () => {
    const history = copyWith('gone', TAKE_OUT)
    const scored = await scoreWorld(world, 'gone', { history })
    const row = `${ORIGIN}, seer, 4 h`
    expect(scored).toMatchObject({
      ...{ ok: false, link: 'log' },
      findings: [
        { code: 'log-forecast-withdrawn', args: { fault: 'gone', row, count: 1, history } },
      ],
    })
    expect(await bringBack(history, world.paths.history)).toEqual([])
    expect(await paired(history)).toEqual({ scored: STAMPED_HOURS * 4 })
    by.now = at('2025-06-01T00:00:00Z')
    await seal(history, by)
    expect((await verifyHistory(history)).findings).toEqual([])
  }, 60_000)

  it('stops it too where its values are others, or a recorded attempt is in its place', async () => {
    const set = `UPDATE forecast_predictions SET predicted_price_usd = 1 WHERE ${KEY}`
    expect(await paired(copyWith('changed', set))).toEqual(['log-forecast-withdrawn differs'])
    const history = copyWith('replaced', TAKE_OUT, ATTEMPT)
    expect(await paired(history)).toEqual(['log-forecast-withdrawn gone'])
    expect(await bringBack(history, world.paths.history)).toEqual([])
    expect(await paired(history)).toEqual({ scored: STAMPED_HOURS * 4 })
  }, 60_000)

  it('is judged where it is shown with a recorded attempt beside it', async () => {
    expect(await paired(copyWith('beside', ATTEMPT))).toEqual({ scored: STAMPED_HOURS * 4 })
  }, 60_000)

  it('stops an audit that finds it gone later', async () => {
    expect((await scoreWorld(world, 'whole')).ok).toBe(true)
    const history = copyWith('later', TAKE_OUT)
    const found = await audited(join(world.folder, 'whole'), { paths: { history } })
    expect(found.links.find(({ state }) => state === 'broken')?.link).toBe('log')
    expect(found.findings.map(codeOf)).toEqual(['log-forecast-withdrawn gone'])
  }, 60_000)
})
