import { expect, it } from 'vitest'
import { MICROS_PER_HOUR } from '../../../src/contract/instant.js'
import { CommittedTimes, type TimedCheckpoint } from '../../../src/evaluation/proof/checkpoints.js'
import { Commitments, type LeafOfRow } from '../../../src/evaluation/proof/commitments.js'
import { keyText, leafText } from '../../../src/evaluation/proof/read-log.js'
import { at } from '../world.js'

const ORIGIN = at('2025-01-01T00:00:00Z')
const EXPECTED = {
  ...{ from: ORIGIN, to: ORIGIN, horizons: [2], models: ['seer'] },
  ...{ lag: MICROS_PER_HOUR, origins: 1 },
}
const [A, B] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)]
const row = (leaf: Uint8Array | undefined, originAt: string): LeafOfRow => ({
  ...{ key: { kind: 'forecast', originAt, model: 'seer', horizonHours: 2 }, leaf },
})
const FIRST = '2025-01-01T00:00:00+00:00'
const SECOND = '2025-01-01T00:00:00Z'

/** A log of leaves in one checkpoint, stamped at the origin. */
async function shown(leaves: Uint8Array[], rows: LeafOfRow[], keyed = leaves) {
  const checkpoint = { size: leaves.length, at: ORIGIN } as TimedCheckpoint
  const key = keyText(ORIGIN, 2, 'seer')
  const log = {
    size: leaves.length,
    byLeaf: new Map(leaves.map((leaf, index) => [leafText(leaf), index])),
    byKey: new Map(keyed.length === 0 ? [] : [[key, keyed.map(leafText)]]),
  }
  const batches = (async function* () {
    for (const each of rows) yield [each]
  })()
  const times = new CommittedTimes([checkpoint])
  return (await Commitments.of(log, times, EXPECTED, batches)).committed(ORIGIN, 2, 'seer')
}

it.each<[string, Uint8Array[], LeafOfRow[], number | string | undefined, Uint8Array[]?]>([
  ['one row of the log', [A], [row(A, FIRST)], ORIGIN],
  ['one row, twice', [A], [row(A, FIRST), row(A, SECOND)], ORIGIN],
  ['a row that the log does not have', [], [row(A, FIRST)], undefined],
  ['a row that has no leaf', [], [row(undefined, FIRST)], undefined],
  [
    'a row without a leaf before that of the log',
    [A],
    [row(undefined, FIRST), row(A, SECOND)],
    'withdrawn',
  ],
  [
    'a row without a leaf after that of the log',
    [A],
    [row(A, FIRST), row(undefined, SECOND)],
    'withdrawn',
  ],
  ['another row before that of the log', [A], [row(B, FIRST), row(A, SECOND)], 'withdrawn'],
  ['the same where the log says no key', [A], [row(B, FIRST), row(A, SECOND)], 'withdrawn', []],
  ['two rows of the log', [A, B], [row(A, FIRST), row(B, SECOND)], 'withdrawn'],
  ['the same two the other way round', [A, B], [row(B, FIRST), row(A, SECOND)], 'withdrawn'],
  [
    'the same two where the log says no key',
    [A, B],
    [row(A, FIRST), row(B, SECOND)],
    'withdrawn',
    [],
  ],
  ['one of two rows of the log', [A, B], [row(A, FIRST)], 'withdrawn'],
  ['no row', [A], [], 'withdrawn'],
])(
  'takes a key for what the log and all its rows say: %s',
  async (_, log, rows, expected, keyed) => {
    expect(await shown(log, rows, keyed)).toBe(expected)
  },
)
