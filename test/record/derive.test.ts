import { describe, expect, it } from 'vitest'
import { checkedInstant } from '../../src/contract/instant.js'
import { deriveRecord } from '../../src/record/derive.js'
import { ENDS, TABLES } from '../../src/record/track-record.js'
import { day, digestOf, MadeLedger, type MadeRegistration, RULES } from './made-ledger.js'

/** A ledger with one registration, stamped on the day of its registration. */
function registered(of: MadeRegistration = {}) {
  const ledger = new MadeLedger()
  const digest = ledger.register(of)
  ledger.stamp(2)
  return { ledger, digest, row: (on: number) => rowIn(ledger, on, digest) }
}

const rowIn = (ledger: MadeLedger, on: number, digest: string) =>
  deriveRecord(ledger.inputs(on)).registrations.find(
    ({ registration_sha256 }) => registration_sha256 === digest,
  )!

const recordOf = (ledger: MadeLedger, on: number) => deriveRecord(ledger.inputs(on))

describe('how a registration ended', () => {
  it.each([
    [3, 'announced'],
    [10, 'running'],
    [20.1, 'awaiting_outcomes'],
    [50, 'awaiting_outcomes'],
    [50.7, 'overdue'],
  ] as const)('on day %d, without anything else: %s', (on, end) => {
    expect(registered().row(on).end).toBe(end)
  })

  it('is overdue 30 days after its entry, where that was made after the last outcome counted', () => {
    const { row } = registered({ mode: 'backtest', on: 60 })
    expect([row(89).end, row(91).end]).toEqual(['awaiting_outcomes', 'overdue'])
  })

  it('is scored where the first result of the ledger is here, by its digest', () => {
    const { ledger, digest, row } = registered()
    const result = ledger.score(digest, 'inconclusive')
    expect(row(40)).toMatchObject({
      end: 'scored',
      result: { result_sha256: result, kind: 'evaluation', exploratory: false, at: day(30) },
      readings: { count: 1, first_at: day(30) },
    })
    ledger.results.delete(result)
    expect(row(40)).toMatchObject({
      end: 'result_withheld',
      result: { kind: null, candidates: null, at: day(30) },
    })
  })

  it('a second result does not take the place of the first', () => {
    const { ledger, digest, row } = registered()
    const first = ledger.score(digest, 'negative')
    const second = ledger.score(digest, 'eligible_for_human_review', 31)
    expect(row(40).result?.result_sha256).toBe(first)
    expect(recordOf(ledger, 40).foreign_evidence).toEqual([second])
    ledger.results.delete(first)
    expect(row(40).end).toBe('result_withheld')
  })

  it('a result that only the record of readings has is withheld', () => {
    const { ledger, digest, row } = registered()
    ledger.read(digest, 1, digestOf(99))
    ledger.results.set(digestOf(99), { kind: 'evaluation', candidates: [] })
    expect(row(40)).toMatchObject({
      end: 'result_withheld',
      result: { result_sha256: digestOf(99), at: null, candidates: null },
    })
  })

  it('is broken off where outcomes were read without a result, closed or not', () => {
    const { ledger, digest, row } = registered()
    ledger.read(digest, 1)
    expect(row(40).end).toBe('broken_off')
    ledger.close(digest, 'void', 41)
    expect(row(42)).toMatchObject({ end: 'broken_off', closing: { as: 'void' } })
  })

  it('a result under a closed registration does not make it scored', () => {
    const { ledger, digest, row } = registered()
    ledger.close(digest)
    ledger.score(digest, 'eligible_for_human_review')
    expect(row(40)).toMatchObject({ end: 'result_withheld', closing: { seq: 3 } })
  })

  it('is missing where its file is not here, whatever else is open', () => {
    const { ledger, digest, row } = registered()
    ledger.registrations.delete(digest)
    expect(row(3)).toMatchObject({
      ...{ end: 'file_missing', name: null, window: null, candidates: null, divisor: null },
      first_inputs: day(10),
    })
  })
})

describe('when a registration was closed', () => {
  it('is shown by nobody whose stamps count where its file is not here', () => {
    const { ledger, digest, row } = registered()
    ledger.close(digest, 'abandoned', 5)
    ledger.stamp(6)
    ledger.registrations.delete(digest)
    expect(row(60)).toMatchObject({ end: 'closed', closing: { phase: 'before_window' } })
  })

  it.each([
    ['before its window, as a stamp shows', 5, 6, 'cancelled', 'before_window', 0],
    // The origin of that hour is due two minutes later.
    ['after some origins', 5, 12, 'closed', 'in_window', 48],
    ['when outcomes could be known', 5, 21, 'closed', 'after_outcomes', 241],
    ['at a time that nobody shows', 5, undefined, 'closed', 'after_outcomes', 241],
  ] as const)('%s', (_, on, stamped, end, phase, origins) => {
    const { ledger, digest, row } = registered()
    ledger.close(digest, 'abandoned', on)
    if (stamped !== undefined) ledger.stamp(stamped)
    expect(row(60)).toMatchObject({
      end,
      closing: {
        ...{ seq: 3, as: 'abandoned', reason: 'no more data', closed_at: day(on), phase },
        ...{ after_origins: origins, proved_at: stamped === undefined ? null : day(stamped) },
      },
    })
  })

  it('of two closings the first holds', () => {
    const { ledger, digest, row } = registered()
    ledger.close(digest, 'void')
    ledger.close(digest, 'abandoned')
    expect(row(60).closing).toMatchObject({ seq: 3, as: 'void' })
  })
})

describe('who shows when a registration was made', () => {
  it.each([
    ['a stamp before its first inputs, forecasts committed', {}, 2, 'shown_by_others'],
    ['a stamp after its first inputs', {}, 11, 'own_word'],
    ['no stamp', {}, undefined, 'own_word'],
    ['forecasts that nobody has to commit', { commitment: 'self_declared' }, 2, 'own_word'],
    ['a backtest', { mode: 'backtest' }, 2, 'backtests'],
  ] as const)('%s', (_, of, stamped, table) => {
    const ledger = new MadeLedger()
    const digest = ledger.register(of)
    if (stamped !== undefined) ledger.stamp(stamped)
    expect(rowIn(ledger, 40, digest).table).toBe(table)
  })

  it('a stamp of a later entry shows all entries before it', () => {
    const ledger = new MadeLedger()
    const digest = ledger.register()
    ledger.register()
    ledger.stamp(9)
    expect(rowIn(ledger, 40, digest)).toMatchObject({
      ...{ table: 'shown_by_others', proved_at: day(9) },
      proofs: [{ kind: 'stamp', by: 'tsa', time: day(9), entry: 3 }],
    })
  })

  it('a stamp in an earlier place shows that entry alone', () => {
    const ledger = new MadeLedger()
    const [first, second] = [ledger.register(), ledger.register()]
    ledger.stamp(9)
    const [stamp] = ledger.stamps
    const stamps = [{ ...stamp!, alone: 3 }]
    const record = deriveRecord(ledger.inputs(40, { stamps }))
    expect(record.registrations.map(({ table }) => table)).toEqual(['own_word', 'shown_by_others'])
    expect([first, second]).toEqual(record.registrations.map((row) => row.registration_sha256))
    expect(record.ledger).toMatchObject({ whole_to: null, first_seen: null })
  })

  it('witnesses of the log do', () => {
    const ledger = new MadeLedger()
    const digest = ledger.register({ commitment: 'witnessed' })
    const witnessed = new Map([[digest, { log: 'log.example', time: checkedInstant(day(3)) }]])
    const [row] = deriveRecord(ledger.inputs(40, { witnessed })).registrations
    expect(row).toMatchObject({
      ...{ table: 'shown_by_others', proved_at: day(3), commitment: 'witnessed' },
      proofs: [{ kind: 'witness', by: 'log.example', time: day(3), entry: null }],
    })
  })

  it('the ledger is whole up to the last entry that is stamped with those before it', () => {
    const ledger = new MadeLedger()
    ledger.stamp(1)
    ledger.register()
    ledger.stamp(4)
    ledger.stamp(3)
    ledger.register()
    expect(recordOf(ledger, 40).ledger).toMatchObject({
      ...{ entries: 3, begins: day(0) },
      first_seen: { entry: 1, time: day(1), by: 'tsa' },
      whole_to: { entry: 2, time: day(3), by: 'tsa' },
    })
  })
})

describe('what chance would give', () => {
  const alpha = RULES.alpha
  const eligible = 'eligible_for_human_review'

  it('is summed over what could be read, whatever its end', () => {
    const ledger = new MadeLedger()
    const digests = Array.from({ length: 8 }, () => ledger.register())
    ledger.stamp(3)
    ledger.score(digests[0]!, eligible)
    ledger.results.delete(ledger.score(digests[1]!, eligible))
    ledger.read(digests[2]!, 1)
    ledger.close(digests[3]!, 'void', 12)
    ledger.registrations.delete(digests[4]!)
    // Without a result, and 30 days later.
    const late = recordOf(ledger, 60)
    expect(late.chance).toMatchObject({ evaluations: 8, eligible: 1, waiting_given_away: 0 })
    expect(late.chance.expected_at_most).toBeCloseTo(8 * (alpha / 2), 12)
    // Hiding any result makes the sum no smaller.
    ledger.results.clear()
    expect(recordOf(ledger, 60).chance).toMatchObject({ evaluations: 8, eligible: 0 })
    expect(recordOf(ledger, 60).chance.expected_at_most).toBeCloseTo(8 * (alpha / 2), 12)
  })

  it('leaves out what goes on, what was cancelled, and the other tables', () => {
    const ledger = new MadeLedger()
    const cancelled = ledger.register()
    ledger.register({ days: [100, 110] })
    ledger.register({ mode: 'backtest' })
    ledger.register({ commitment: 'self_declared' })
    ledger.close(cancelled)
    ledger.stamp(6)
    expect(recordOf(ledger, 60).chance).toEqual({
      ...{ evaluations: 0, eligible: 0, waiting_given_away: 0, expected_at_most: 0 },
    })
  })

  it('leaves out what is running, where a list leaves open when outcomes count', () => {
    const ledger = new MadeLedger()
    const digest = ledger.register({ days: [10, 100] })
    ledger.stamp(6)
    Object.assign(ledger.entries[1]!, { last_settled: null })
    Object.assign(ledger.registrations.get(digest)!.window, { last_settled: null })
    const record = recordOf(ledger, 60)
    expect([record.registrations[0]?.end, record.chance.evaluations]).toEqual(['running', 0])
  })

  it('is divided for a candidate that was registered over the same time before', () => {
    const ledger = new MadeLedger()
    const windows = [
      [10, 20],
      [15, 25],
      [20, 22],
      [40, 50],
    ] as const
    for (const days of windows) ledger.register({ days, candidates: ['mine', 'other'] })
    const cancelled = ledger.register({ days: [12, 14], candidates: ['mine'] })
    ledger.close(cancelled)
    ledger.stamp(6)
    ledger.register({ days: [12, 14], candidates: ['mine'] })
    const rows = recordOf(ledger, 60).registrations
    // The last is before the third window, and the fifth was cancelled.
    expect(rows.map(({ divisor }) => divisor)).toEqual([1, 6, 12, 1, 6, 6])
    expect(rows.map((row) => row.alpha_share)).toEqual(
      [1, 6, 12, 1, 0, 6].map((by) => (by === 0 ? 0 : alpha / (2 * by))),
    )
  })

  it('counts one that was cancelled once the window at hand had begun', () => {
    const ledger = new MadeLedger()
    const late = ledger.register({ days: [15, 25], candidates: ['mine'] })
    ledger.register({ days: [1, 20], candidates: ['mine'] })
    ledger.close(late, 'abandoned', 4)
    ledger.stamp(5)
    const [first, second] = recordOf(ledger, 60).registrations
    expect([first?.end, second?.divisor]).toEqual(['cancelled', 6])
  })

  it('is none where no candidate can be eligible, and waiting given away is counted apart', () => {
    const ledger = new MadeLedger()
    const digest = ledger.register()
    ledger.stamp(2)
    ledger.score(digest, eligible)
    const { rules } = { rules: RULES }
    const withRules = (of: Partial<typeof RULES>, isLax = false) =>
      deriveRecord(
        ledger.inputs(40, {
          protocols: new Map([['f'.repeat(64), { rules: { ...rules, ...of }, isLax }]]),
        }),
      ).chance
    expect(withRules({}).expected_at_most).toBeCloseTo(alpha / 2, 12)
    expect(withRules({}, true)).toMatchObject({ evaluations: 1, expected_at_most: 0 })
    const method = { method: 'percentile-bootstrap', replicates: 1, seed: 1 } as const
    expect(withRules({ test: method as never })).toMatchObject({ expected_at_most: 0 })
    const waiting = 'part_of_the_task' as const
    expect(withRules({ origins: { ...rules.origins, waiting } as never })).toEqual({
      ...{ evaluations: 0, eligible: 0, waiting_given_away: 1, expected_at_most: 0 },
    })
  })

  it('a result after another reading is not counted as eligible', () => {
    const { ledger, digest, row } = registered()
    const result = digestOf(77)
    ledger.read(digest, 1)
    ledger.read(digest, 2, result)
    ledger.enterResult(digest, result)
    const candidate = { candidate: 'm', disposition: eligible, verdict: 'Eligible' } as const
    const none = { expected: 1, scored: 1, left_out: 0, without_outcome: 0, strongest: null }
    ledger.results.set(result, { kind: 'evaluation', candidates: [{ ...candidate, ...none }] })
    expect(row(60)).toMatchObject({ end: 'scored', result: { exploratory: true } })
    expect(recordOf(ledger, 60).chance).toMatchObject({ evaluations: 1, eligible: 0 })
  })
})

describe('corrections', () => {
  it('stay beside the first result, with what they changed', () => {
    const { ledger, digest, row } = registered()
    const first = ledger.score(digest, 'negative')
    ledger.read(digest, 2, digestOf(88))
    ledger.enterResult(digest, digestOf(88))
    ledger.correct(digest, first, digestOf(88))
    expect(row(60)).toMatchObject({
      result: { result_sha256: first },
      corrections: [{ seq: 5, result_sha256: digestOf(88), changed: ['outcomes'] }],
    })
    ledger.readings.clear()
    expect(row(60).corrections[0]?.changed).toBeNull()
  })
})

describe('the counts', () => {
  it('of each table add up to its registrations', () => {
    const ledger = new MadeLedger()
    for (let at = 0; at < 12; at++) {
      const mode = at % 4 === 3 ? 'backtest' : 'prospective'
      const commitment = at % 4 === 2 ? 'self_declared' : 'stamped'
      const days = [10 + at * 5, 12 + at * 5] as const
      const digest = ledger.register({ mode, days, commitment })
      if (at % 2 === 0) ledger.stamp(3)
      if (at % 3 === 0) ledger.score(digest, 'inconclusive')
      if (at % 5 === 0) ledger.registrations.delete(digest)
    }
    const { counts, registrations } = recordOf(ledger, 60)
    for (const table of TABLES) {
      const sum = ENDS.reduce((total, end) => total + counts[table][end], 0)
      expect(sum).toBe(registrations.filter((row) => row.table === table).length)
      expect(sum).toBeGreaterThan(0)
    }
  })
})
