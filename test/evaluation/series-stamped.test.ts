import { generateKeyPairSync } from 'node:crypto'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { MICROS_PER_SECOND } from '../../src/contract/instant.js'
import { pairHistory } from '../../src/evaluation/pair-history.js'
import { countingDispositions } from '../../src/evaluation/result/readings.js'
import { toVerifierKey } from '../../src/log/verifier-key.js'
import { renderHtml } from '../../src/report/html/page.js'
import { temporaryFolder } from '../support/folder.js'
import { audited, scoreCodes, scoreInto } from './score-into.js'
import { DAYS, makeSeriesFolder, type SeriesFolderOptions } from './series-folder.js'
import {
  cutAfter,
  LOG_NAME,
  LogWitnesses,
  sql,
  type Witnesses,
  witnesses,
} from './stamped-world.js'
import type { World } from './world.js'

const ORIGINS = 12
let by: Witnesses
let world: World

beforeAll(async () => {
  by = await witnesses('alpha')
  world = await makeSeriesFolder({
    by,
    origins: ORIGINS,
    plan: { commitment: 'stamped', time: by.time(1) },
    // One comes with the seal of the next day, and says of itself that it is older.
    delay: (key) => (key === 'a 3 1' ? 24 : 0),
  })
}, 120_000)

const KEY = `origin = '${DAYS[66]!.label}' AND series = 'b' AND horizon = 2`
const copyWith = (name: string, ...statements: string[]) => {
  const history = join(world.folder, `${name}.sqlite`)
  copyFileSync(world.paths.history, history)
  sql(history, ...statements)
  return history
}

describe('forecasts of any series that have to be stamped', () => {
  it('count from the stamp on, and the audit finds the same', async () => {
    const scored = await scoreInto(world, 'all')
    expect(scored.result.time?.commitment?.models).toEqual([
      {
        ...{ model: 'mine', expected: ORIGINS * 4, committed: ORIGINS * 4 - 1 },
        ...{ committed_late: 1, not_committed: 0, withdrawn: 0 },
      },
    ])
    const found = await audited(join(world.folder, 'all'))
    expect(found).toMatchObject({ ok: true, findings: [] })
    expect(await pairHistory(world.paths)).toMatchObject({
      summary: { reasons: { committed_late: 1, scored: ORIGINS * 4 - 1 } },
    })
  })

  it('are not committed where the last seals are gone', async () => {
    const history = copyWith('cut', ...cutAfter(4 * 10))
    expect(await pairHistory({ ...world.paths, history })).toMatchObject({
      summary: { reasons: { not_committed: 8 } },
    })
  })

  it('are asked for by name where they are gone or others', async () => {
    const gone = copyWith('gone', `DELETE FROM foreproof_series_forecasts WHERE ${KEY}`)
    const codes = (history: string) => scoreCodes(world, 'never', { history })
    expect(await codes(gone)).toEqual(['log-forecast-withdrawn gone'])
    const set = `entry = replace(entry, '"value":', '"value":1')`
    const other = copyWith('other', `UPDATE foreproof_series_forecasts SET ${set} WHERE ${KEY}`)
    expect(await codes(other)).toEqual(['log-forecast-withdrawn differs'])
  })
})

describe('forecasts of any series that have to be witnessed', () => {
  const key = generateKeyPairSync('ed25519').privateKey
  const names = ['w0', 'w1', 'w2'] as const
  const now = () => Math.floor(by.now / MICROS_PER_SECOND)

  /** Days whose forecasts have to be witnessed, by two of three. */
  async function witnessed(options: SeriesFolderOptions) {
    const of = new LogWitnesses(toVerifierKey(LOG_NAME, key), names, 2)
    await of.start(temporaryFolder(), now)
    return makeSeriesFolder({
      by,
      plan: { commitment: 'witnessed', time: { ...by.time(1), witnesses: of.rule } },
      cosigning: () => ({ key, witnesses: { policy: of.policy(names), now } }),
      ...options,
    })
  }

  it('count, and their log may not be cut', async () => {
    const made = await witnessed({ origins: ORIGINS })
    const scored = await scoreInto(made, 'all')
    const [own] = scored.result.time!.commitment!.models
    expect(own).toMatchObject({ expected: ORIGINS * 4, committed: ORIGINS * 4 })
    expect(await audited(join(made.folder, 'all'))).toMatchObject({ ok: true, findings: [] })
    sql(made.paths.history, ...cutAfter(2 + 4 * (ORIGINS - 1)))
    expect(await scoreCodes(made, 'cut')).toEqual(['log-ends-early'])
  })

  it('are read a second time with those that came late, and the worse counts', async () => {
    // Of the series a, every second origin at one step.
    const delay = (of: string) => (/^a \d*[02468] 1$/.test(of) ? 24 : 0)
    const made = await witnessed({ delay })
    const scored = await scoreInto(made, 'late')
    const { result } = scored
    expect(result.second_reading).toMatchObject({
      late: 30,
      reading: { dispositions: [{ disposition: 'eligible_for_human_review' }] },
    })
    expect(result.reading.dispositions).toMatchObject([{ disposition: 'blocked' }])
    expect(countingDispositions(result)).toEqual(result.reading.dispositions)
    const page = renderHtml(result)
    expect(page).toContain('Without 30 forecasts committed late or not at all: Blocked')
    expect(await audited(join(made.folder, 'late'))).toMatchObject({ ok: true, findings: [] })
  })
})
