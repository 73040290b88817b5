import { describe, expect, it } from 'vitest'
import { type Instant, MICROS_PER_HOUR } from '../../src/contract/instant.js'
import { PAIR } from '../../src/contract/limits.js'
import type { Protocol, Registration } from '../../src/contract/types.js'
import { catchBroken } from '../../src/evaluation/links.js'
import type { TimedCheckpoint } from '../../src/evaluation/proof/checkpoints.js'
import { Commitments } from '../../src/evaluation/proof/commitments.js'
import { hourlyExpected } from '../../src/evaluation/proof/expected.js'
import { leafText, readLog } from '../../src/evaluation/proof/read-log.js'
import { bindPlan } from '../../src/protocol/rules/bind.js'
import { compileRules } from '../../src/protocol/rules/compile.js'
import { sampleProtocol } from '../protocol/sample.js'
import { at } from './world.js'

const NO_WITNESSES = { witnessedAt: Number.NEGATIVE_INFINITY, cosigned: [] }

const ORIGIN = at('2025-01-01T00:00:00Z')

const PROTOCOL = { ...sampleProtocol(), horizons_hours: [2] } as unknown as Protocol
/** What a registration expects of two models at two hours, with an hour to publish. */
const EXPECTED = hourlyExpected({
  registration: {
    window: {
      ...{ from: '2025-01-01T00:00:00Z', to: '2025-01-01T09:00:00Z', origins: 10 },
      last_settled: '2025-01-01T09:00:00Z',
    },
    comparators: [],
    registered_at: '2025-01-01T00:00:00Z',
    candidates: ['seer', 'also'].map((name) => ({ name, source: 'history' })),
  } as unknown as Registration,
  rules: {
    ...bindPlan(compileRules(PROTOCOL), { due_minutes: 60, limits: { availability: 0.1 } }),
    weights: null,
  },
  tooLax: [],
})
const leafOf = (leaf: number) => new Uint8Array(32).fill(leaf)

/**
 * `2:seer@1 3`: leaves by their numbers, of which model they are or claim to be, and at which hour; `?` is a row without
 * a leaf, `2!` an attempt.
 */
const parsed = (text: string) =>
  text
    .split(' ')
    .filter(Boolean)
    .map((each) => {
      const [, leaf, mark, model, hour] = /^(\d+|\?)(!)?(?::(\w+))?(?:@(.+))?$/.exec(each) ?? []
      const kind = mark === undefined ? 'forecast' : 'attempt'
      return { leaf: Number(leaf), kind, model, hour: Number(hour ?? 0) } as const
    })

/** What a log of entries, in checkpoints of sizes with their hours, says of the rows of a history. */
async function commitmentsOf(entries: string, checkpoints: string, rows: string) {
  const hours = (hour: number): Instant => ORIGIN + hour * MICROS_PER_HOUR
  const byKey = new Map<string, string[]>()
  const log = parsed(entries)
  for (const { leaf, model, hour } of log) {
    if (model === undefined || model === 'other') continue
    const key = EXPECTED.textAt(hours(hour) / MICROS_PER_HOUR, { series: PAIR, horizon: 2 }, model)
    byKey.set(key, [...(byKey.get(key) ?? []), leafText(leafOf(leaf))])
  }
  const read = {
    ...{ size: log.length, byKey },
    byLeaf: new Map(log.map(({ leaf }, index) => [leafText(leafOf(leaf)), index])),
    keyed: Uint8Array.from(log, ({ model }) => (model === undefined ? 0 : 1)),
  }
  const timed = parsed(checkpoints).map(
    ({ leaf: size, hour }) =>
      ({ size, at: hours(hour), ...NO_WITNESSES }) as unknown as TimedCheckpoint,
  )
  const batches = (async function* () {
    for (const [at, { leaf, kind, model = '', hour }] of parsed(rows).entries()) {
      // A second row of a key spells its origin in another way.
      const end = at === 0 ? '+00:00' : 'Z'
      const originAt = new Date(hours(hour) / 1000).toISOString().replace('.000Z', end)
      const key = { kind, originAt, model, horizonHours: 2 }
      yield [{ key, leaf: Number.isNaN(leaf) ? undefined : leafOf(leaf) }]
    }
  })()
  return await Commitments.of(read, timed, EXPECTED, batches)
}

type Key = [name: string, log: string, rows: string, expected: number | string | undefined]

// All are of one key; `A-` is an entry without a key.
it.each<Key>([
  ['one row of the log', 'A', 'A', ORIGIN],
  ['one row, twice', 'A', 'A A', ORIGIN],
  ['a row that the log does not have', '', 'A', undefined],
  ['a row that has no leaf', '', '?', undefined],
  ['a row without a leaf before that of the log', 'A', '? A', 'withdrawn'],
  ['a row without a leaf after that of the log', 'A', 'A ?', 'withdrawn'],
  ['another row before that of the log', 'A', 'B A', 'withdrawn'],
  ['another row in the place of that of the log', 'A', 'B', 'withdrawn'],
  ['the same where the log says no key', 'A-', 'B A', 'withdrawn'],
  ['two rows of the log', 'A B', 'A B', 'withdrawn'],
  ['the same two the other way round', 'A B', 'B A', 'withdrawn'],
  ['the same two where the log says no key', 'A- B-', 'A B', 'withdrawn'],
  ['one of two rows of the log', 'A B', 'A', 'withdrawn'],
  ['no row', 'A', '', 'withdrawn'],
  ['a row and an attempt that were not sealed', 'A', 'A B!', 'withdrawn'],
  ['an attempt without a leaf before the row', 'A', '?! A', 'withdrawn'],
  ['an attempt alone', '', 'B!', undefined],
])('takes a key for what the log and all its rows say: %s', async (_, log, rows, expected) => {
  const ofKey = (text: string) =>
    text
      .replaceAll('A', '1')
      .replaceAll('B', '2')
      .replace(/[\d?]!?(?= |$)/g, '$&:seer')
      .replaceAll('-', '')
  const checkpoint = `${log.split(' ').filter(Boolean).length}@0`
  const found = await commitmentsOf(ofKey(log), checkpoint, ofKey(rows))
  expect(found.committed(ORIGIN / MICROS_PER_HOUR, { series: PAIR, horizon: 2 }, 'seer')).toBe(
    expected,
  )
})

/** What is wrong with such a log. */
async function faults(...of: Parameters<typeof commitmentsOf>) {
  const found = await commitmentsOf(...of)
  return {
    unexplained: found.entries.unexplained().count,
    hidden: found.hidden()?.first,
    relabelled: found.entries.relabelled?.entry,
    excess: found.claimedInExcess()?.count,
  }
}

const NOTHING = { unexplained: 0, hidden: undefined, relabelled: undefined, excess: undefined }

describe('entries that no row explains', () => {
  it.each<[string, Parameters<typeof faults>, Partial<Record<keyof typeof NOTHING, number>>]>([
    ['none', ['1:seer', '1@0.2', '1:seer'], {}],
    ['a row of a mirror whose entry says no key', ['1', '1@0.2', '1:seer'], {}],
    ['one without a key', ['1:seer 2', '2@0.2', '1:seer'], { unexplained: 1, hidden: 1 }],
    ['one of another model', ['1:seer 2:other', '2@0.2', '1:seer'], { unexplained: 1, hidden: 1 }],
    ['one that is withdrawn', ['1:seer 2:seer@1', '2@1.2', '1:seer'], {}],
    [
      'a second one under a key that has its row',
      ['1:seer 2:seer', '2@0.2', '1:seer'],
      { unexplained: 1, hidden: 1 },
    ],
    [
      'two under a key without a row',
      ['1:seer 2:seer@1 3:seer@1', '3@0.2', '1:seer'],
      { unexplained: 1, hidden: 2 },
    ],
    ['one from before the window', ['2 1:seer', '1@-1 2@0.2', '1:seer'], { unexplained: 1 }],
    [
      'one from before the window, beside a forecast that is shown',
      ['2 1:seer 3:seer@1', '2@-1 3@0.2', '1:seer 3:seer@1'],
      { unexplained: 1, hidden: 0 },
    ],
    ['one that is too late', ['1:seer 2', '1@0.2 2@10.2', '1:seer'], { unexplained: 1 }],
    [
      'one that is in time for the last forecast',
      ['1:seer 2', '1@0.2 2@10', '1:seer'],
      { unexplained: 1, hidden: 1 },
    ],
    ['an entry that claims another row', ['1:other', '1@0.2', '1:seer'], { relabelled: 0 }],
    [
      'an entry of another model that claims to be expected',
      ['1:seer 2:also', '2@0.2', '1:seer 2:other'],
      { relabelled: 1 },
    ],
    ['too many withdrawn', ['1:seer 2:also 3:also@1', '3@0.2', '1:seer'], { excess: 2 }],
  ])('%s', async (_, args, expected) => {
    expect(await faults(...args)).toEqual({ ...NOTHING, ...expected })
  })
})

it('a stamped checkpoint of more entries than memory has is a finding', async () => {
  const size = Number.MAX_SAFE_INTEGER
  const checkpoint = { size, root: new Uint8Array(32) } as TimedCheckpoint
  const source = {
    ...{ name: 'example.org/made', file: 'history.sqlite' },
    async *checkpoints() {},
    async *entries() {
      yield [{ index: 0, leaf: new Uint8Array(32), key: undefined }]
    },
  }
  const nothing = () => undefined
  const read = await catchBroken(() => readLog(source, [checkpoint], nothing, nothing))
  expect(read).toMatchObject({ ok: false, findings: [{ code: 'log-root-differs' }] })
})
