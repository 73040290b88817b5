import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { ledgerTime } from '../../src/cli/ledger-time.js'
import type { ForeproofError } from '../../src/contract/error.js'
import { formatStored, MICROS_PER_HOUR } from '../../src/contract/instant.js'
import { pairHistory } from '../../src/evaluation/pair-history.js'
import { registeredLog } from '../../src/evaluation/proof/log-source.js'

import { exportLines } from '../../src/history/export.js'
import { importFiles } from '../../src/history/import/import-files.js'
import { verifyHistory } from '../../src/history/verify.js'
import { Frontier } from '../../src/log/frontier.js'
import type { PairedAttempt } from '../../src/pairing/paired-attempt.js'
import { ledgerPath, readLedgerFile } from '../../src/protocol/ledger-file.js'
import { HOURS } from '../../src/protocol/rules/calendar.js'
import { codeOf } from '../contract/args-of.js'
import { BY_VERDICT } from '../registration/made.js'
import { hourAt, LEAD_IN, madeRows, madeVintage } from './made.js'
import { audited, type Over, scoreInto, scoreWorld } from './score-into.js'
import {
  isForecast,
  LOG_NAME,
  makeStampedWorld,
  STAMPED_HOURS,
  seal,
  sql,
  stampRegistration,
  type Witnesses,
  witnesses,
} from './stamped-world.js'
import { at, importRows, type World } from './world.js'

/** A forecast that may be gone, and a recorded attempt in its place. */
const ORIGIN = formatStored(hourAt(LEAD_IN + 9))
const KEY = `origin_at = '${ORIGIN}' AND horizon_hours = 4`
const TAKE_OUT = `DELETE FROM forecast_predictions WHERE ${KEY}`
const ATTEMPT = `INSERT INTO foreproof_attempts VALUES ('${ORIGIN}', 'seer', 4, 'abstained', 'quiet', NULL)`

let by: Witnesses
let world: World

const LATE = isForecast(5, 8)
const SLIPPED = isForecast(7, 4)
const TAKEN = { hour: 10, horizon: 16 }

/** Registered and stamped, sealed each hour; one forecast late, one slipped in later, one taken out. */
beforeAll(async () => {
  by = await witnesses('alpha', 'beta', 'gamma')
  world = await makeStampedWorld({
    by,
    atLeast: 2,
    delay: (row) => (LATE(row) ? 2 : SLIPPED(row) ? Number.NaN : 0),
    // One authority is always silent, another one in one hour.
    sealedBy: (hour) => (hour === 8 ? ['alpha', 'beta'] : ['beta', 'gamma']),
  })
  const vintage = madeVintage(STAMPED_HOURS)
  const rows = madeRows(STAMPED_HOURS, vintage, [{ name: 'seer', sight: 0.3 }], false)
  const slipped = [...rows].find(SLIPPED)
  await importRows(world, [slipped!], at('2025-03-01T00:00:00Z'))
  const origin = formatStored(hourAt(LEAD_IN + TAKEN.hour))
  const changed = sql(
    world.paths.history,
    `DELETE FROM forecast_predictions WHERE origin_at = '${origin}' AND horizon_hours = ${TAKEN.horizon}`,
  )
  expect(changed).toBe(1)
})

const score = (out: string, over: Over = {}) => scoreWorld(world, out, over)

describe('the log of a history', () => {
  const OTHER = 'example.org/other'

  it('is gone by where it is the registered one, even where another is asked for', async () => {
    const history = join(world.folder, 'log.sqlite')
    copyFileSync(world.paths.history, history)
    const chosen = async (registered: string | null = null, wanted?: string) => {
      const registration = { time: null, commitment_log: registered }
      try {
        return (await registeredLog(registration, history, wanted)).name
      } catch (error) {
        return (error as ForeproofError).findings.map(codeOf)
      }
    }
    expect(await chosen()).toBe(LOG_NAME)
    expect(await chosen(undefined, LOG_NAME)).toBe(LOG_NAME)
    expect(await chosen(undefined, OTHER)).toEqual(['log-unchosen unsealed'])
    expect(await chosen(OTHER)).toEqual(['log-unchosen unsealed'])
    expect(await chosen(LOG_NAME, OTHER)).toEqual(['log-unchosen not-registered'])
    expect(await chosen(LOG_NAME, LOG_NAME)).toBe(LOG_NAME)
    sql(history, 'DELETE FROM foreproof_log_checkpoints')
    expect(await chosen()).toEqual(['log-unchosen unsealed'])
  })
})

describe('a forecast taken out, and the key of its entry with it', () => {
  const HIDDEN = 'log-forecasts-hidden'
  const LATER = '2031-01-01T00:00:00+00:00'
  const label = (set: string) => `UPDATE foreproof_log_entries SET ${set} WHERE ${KEY}`

  it.each<[string, string[], string | number]>([
    ['left as it is', [TAKE_OUT], 2],
    ['none', [TAKE_OUT, label('origin_at = NULL, model_name = NULL')], HIDDEN],
    ['of another model', [TAKE_OUT, label("model_name = 'other'")], HIDDEN],
    ['of another horizon', [TAKE_OUT, label('horizon_hours = 3')], HIDDEN],
    ['of an origin out of the window', [TAKE_OUT, label(`origin_at = '${LATER}'`)], HIDDEN],
    ['of an attempt, and one slipped in', [TAKE_OUT, label("kind = 'attempt'"), ATTEMPT], HIDDEN],
    ['of a forecast that has its row', [TAKE_OUT, label('horizon_hours = 8')], HIDDEN],
    ['of a row that is there', [label('horizon_hours = 3')], 'log-rewritten'],
  ])('does not help: %s', async (name, statements, expected) => {
    const history = join(world.folder, `hidden ${name}.sqlite`)
    copyFileSync(world.paths.history, history)
    expect(sql(history, ...statements)).toBe(statements.length)
    const paired = await pairHistory({ ...world.paths, history })
    const found = paired.ok ? paired.summary.reasons.withdrawn : paired.findings[0]?.code
    expect(found).toBe(expected)
  })
})

describe('a registration that too few authorities have stamped', () => {
  const refused = async (name: string, names: readonly string[], now: string) => {
    const protocol = join(world.folder, name)
    cpSync(world.paths.protocol, protocol, { recursive: true })
    rmSync(join(protocol, 'stamps'), { recursive: true })
    by.now = at(now)
    await stampRegistration({ paths: { ...world.paths, protocol } }, by, names)
    const scored = await score(`${name}-out`, { protocol })
    expect(existsSync(join(protocol, 'access'))).toBe(false)
    expect(existsSync(join(world.folder, `${name}-out`))).toBe(false)
    return scored.ok ? 'scored' : [scored.link, ...scored.findings.map(({ code }) => code)]
  }

  it('is not scored, nor one that they stamped late, and no outcome is read', async () => {
    const one = await refused('one', ['gamma'], '2024-12-15T00:02:00Z')
    expect(one).toEqual(['time', 'registration-not-stamped'])
    const found = await refused('late', ['alpha', 'beta'], '2025-02-03T08:00:00Z')
    const late = ['registration-stamped-late', 'registration-stamped-late']
    expect(found).toEqual(['time', 'registration-not-stamped', ...late])
    // Who verifies the ledger alone learns that the stamps are not of the hour of the registration.
    const far = await ledgerTime([readLedgerFile(ledgerPath(join(world.folder, 'late')))!])
    const codes = far.findings.map(({ code, severity }) => `${severity} ${code}`)
    expect(codes).toEqual(Array(2).fill('warning entry-stamp-far'))
    const near = await ledgerTime([readLedgerFile(ledgerPath(world.paths.protocol))!])
    expect(near.findings).toEqual([])
  })
})

describe('a prospective evaluation, committed hour by hour', () => {
  it('makes ineligible exactly what was late, slipped in or taken out', async () => {
    const ineligible: (readonly [number, number, string])[] = []
    const onAttempt = ({ origin, horizon, status, reason }: PairedAttempt) => {
      const hour =
        HOURS.end(origin ?? Number.NaN) / MICROS_PER_HOUR - hourAt(LEAD_IN) / MICROS_PER_HOUR
      if (status !== 'scored') ineligible.push([hour, horizon, reason])
    }
    const paired = await pairHistory({ ...world.paths, onAttempt })
    expect(paired.ok && paired.findings).toEqual([])
    expect(ineligible).toEqual([
      [5, 8, 'committed_late'],
      [7, 4, 'not_committed'],
      [TAKEN.hour, TAKEN.horizon, 'withdrawn'],
    ])
    expect(paired.ok && paired.summary.reasons).toEqual({
      ...{ committed_late: 1, not_committed: 1, withdrawn: 1 },
      scored: STAMPED_HOURS * 4 - 3,
    })
  })

  it('is scored, and audited from its evidence', async () => {
    const scored = await scoreInto(world, 'first')
    expect(scored.findings).toEqual([])
    const stamped_at = expect.stringMatching('^2024-12-15T00:01:0')
    expect(scored.result.time).toMatchObject({
      ...{ level: 'stamped', at_least: 2, stamped_at },
      commitment: {
        ...{ log: LOG_NAME, checkpoints: STAMPED_HOURS, stamped: STAMPED_HOURS },
        models: [
          {
            ...{ model: 'seer', expected: STAMPED_HOURS * 4, committed: STAMPED_HOURS * 4 - 3 },
            ...{ committed_late: 1, not_committed: 1, withdrawn: 1 },
          },
        ],
        unexplained: 0,
      },
    })
    const authorities = scored.result.time?.authorities.map(({ name }) => name)
    expect(authorities).toEqual(['alpha', 'beta', 'gamma'])
    const appended = vi.spyOn(Frontier.prototype, 'append')
    const found = await audited(join(world.folder, 'first'))
    // The log is proved once, with each of its leaves.
    expect(appended).toHaveBeenCalledTimes(scored.result.time?.commitment?.size ?? Number.NaN)
    appended.mockRestore()
    expect(found.findings).toEqual([])
    expect(found.links.filter(({ state }) => state !== 'holds')).toEqual([])
    expect(found.links.map(({ link }) => link)).toEqual(expect.arrayContaining(['time', 'log']))
  })

  it('holds by the anchors of a reader where these alone say the same', async () => {
    const own = (...names: string[]) => {
      const folder = join(world.folder, `own ${names.join(' ')}`)
      // A reader has names of his own for the same certificates.
      for (const name of names) {
        const file = join(folder, `my-${name}.pem`)
        mkdirSync(folder, { recursive: true })
        copyFileSync(join(world.paths.protocol, 'anchors', `${name}.pem`), file)
      }
      return folder
    }
    const by = async (...names: string[]) => {
      const found = await audited(join(world.folder, 'first'), { anchors: own(...names) })
      const [broken] = found.links.filter(({ state }) => state === 'broken')
      return [broken?.link ?? 'holds', ...found.findings.map(({ code }) => code)]
    }
    expect(await by('alpha', 'beta', 'gamma')).toEqual(['holds'])
    const one = ['registration-not-stamped', 'anchor-of-writer', 'anchor-of-writer']
    expect(await by('gamma')).toEqual(['time', ...one])
    // Without alpha, only one has stamped hour 15: its four forecasts come an hour later.
    expect(await by('beta', 'gamma')).toEqual(['log', 'commitment-of-writer', 'anchor-of-writer'])
    const scored = await score('own', { anchors: own('beta', 'gamma') })
    expect(scored.ok && scored.result.time).toMatchObject({
      authorities: [{ name: 'alpha', stamp: null }, { stamp: {} }, { stamp: {} }],
      commitment: { models: [{ committed: STAMPED_HOURS * 4 - 7, committed_late: 5 }] },
    })
    expect((await audited(join(world.folder, 'own'))).ok).toBe(true)
    await expect(score('none', { anchors: join(world.folder, 'absent') })).rejects.toMatchObject({
      code: 'not-found',
    })
  })
})

describe('a forecast that the log holds and the history does not show', () => {
  let by: Witnesses
  let world: World

  /** Registered with a verdict: the edition in which what the log holds has to be shown. */
  beforeAll(async () => {
    by = await witnesses('alpha')
    world = await makeStampedWorld({ by, method: BY_VERDICT })
  })

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
  })

  it('stops it too where its values are others, or a recorded attempt is in its place', async () => {
    const set = `UPDATE forecast_predictions SET predicted_price_usd = 1 WHERE ${KEY}`
    expect(await paired(copyWith('changed', set))).toEqual(['log-forecast-withdrawn differs'])
    const history = copyWith('replaced', TAKE_OUT, ATTEMPT)
    expect(await paired(history)).toEqual(['log-forecast-withdrawn gone'])
    expect(await bringBack(history, world.paths.history)).toEqual([])
    expect(await paired(history)).toEqual({ scored: STAMPED_HOURS * 4 })
  })

  it('is judged where it is shown with a recorded attempt beside it', async () => {
    expect(await paired(copyWith('beside', ATTEMPT))).toEqual({ scored: STAMPED_HOURS * 4 })
  })

  it('stops an audit that finds it gone later', async () => {
    expect((await scoreWorld(world, 'whole')).ok).toBe(true)
    const history = copyWith('later', TAKE_OUT)
    const found = await audited(join(world.folder, 'whole'), { paths: { history } })
    expect(found.links.find(({ state }) => state === 'broken')?.link).toBe('log')
    expect(found.findings.map(codeOf)).toEqual(['log-forecast-withdrawn gone'])
  })
})
