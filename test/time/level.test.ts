import { describe, expect, it } from 'vitest'
import { checkedInstant } from '../../src/contract/instant.js'
import {
  computeLevel,
  type LedgerStamp,
  levelText,
  stampedBy,
  toTrustChoice,
} from '../../src/time/level.js'

const SECOND = 1_000_000
const A = { name: 'freetsa', anchor_sha256: 'a'.repeat(64) }
const B = { name: 'digicert', anchor_sha256: 'b'.repeat(64) }
const C = { name: 'sectigo', anchor_sha256: 'c'.repeat(64) }
const D = { name: 'nic', anchor_sha256: 'd'.repeat(64) }
const ALL = [A, B, C]

type Made = { seq?: number; by?: typeof A; time?: string; accuracy?: number | null }

function stamp({
  seq = 1,
  by = A,
  time = '2026-11-22T10:00:03Z',
  accuracy = 1,
}: Made): LedgerStamp {
  return {
    authority: by.name,
    anchorSha256: by.anchor_sha256,
    genTime: checkedInstant(time),
    accuracy: (accuracy ?? 0) * SECOND,
    accuracyGiven: accuracy !== null,
    serial: '1',
    policy: '1.2.3',
    imprint: 'SHA-256',
    revocation: 'not_checked',
    seq,
    entrySha256: String(seq).repeat(64),
    file: `stamps/${seq}/${by.name}.tsr`,
    tokenSha256: '0'.repeat(64),
  }
}

describe('levelOf', () => {
  it('is self-declared without a stamp over the entry or a later one', () => {
    expect(computeLevel(2, [], ALL)).toEqual({ kind: 'self_declared' })
    expect(computeLevel(2, [stamp({ seq: 1 })], ALL)).toEqual({ kind: 'self_declared' })
    expect(computeLevel(2, [stamp({ seq: 2, by: D })], ALL)).toEqual({ kind: 'self_declared' })
  })

  it('takes the earliest stamp of each authority over the entry or a later one', () => {
    const early = stamp({ seq: 3, time: '2026-11-22T10:00:00Z' })
    const late = stamp({ seq: 2, time: '2026-11-23T10:00:00Z' })
    const other = stamp({ seq: 2, by: B, time: '2026-11-22T09:00:00Z' })
    const before = stamp({ seq: 1, by: C, time: '2026-11-22T08:00:00Z' })
    const level = computeLevel(2, [late, before, early, other], ALL, 2)
    expect(level).toEqual({ kind: 'stamped', by: [other, early], of: 3, atLeast: 2 })
  })

  it('knows an authority by its anchor, under any name', () => {
    const renamed = stamp({ by: { ...A, name: 'free-tsa' } })
    expect(computeLevel(1, [renamed], [A])).toMatchObject({ kind: 'stamped', of: 1 })
    const another = stamp({ by: { ...D, name: A.name } })
    expect(computeLevel(1, [another], [A])).toEqual({ kind: 'self_declared' })
  })

  it('counts an anchor that is pinned twice once', () => {
    const level = computeLevel(1, [stamp({})], [A, { ...A, name: 'again' }], 2)
    expect(level).toMatchObject({ by: [{ authority: 'freetsa' }], of: 1 })
    expect(stampedBy(level, 2)).toBeUndefined()
  })
})

describe('stampedBy', () => {
  it('is the k-th smallest of time and accuracy together', () => {
    // 10:00:00 ± 60 s is later than 10:00:30 ± 1 s.
    const rough = stamp({ by: A, time: '2026-11-22T10:00:00Z', accuracy: 60 })
    const exact = stamp({ by: B, time: '2026-11-22T10:00:30Z', accuracy: 1 })
    const level = computeLevel(1, [rough, exact], ALL)
    expect(stampedBy(level, 1)).toBe(checkedInstant('2026-11-22T10:00:31Z'))
    expect(stampedBy(level, 2)).toBe(checkedInstant('2026-11-22T10:01:00Z'))
    expect(stampedBy(level, 3)).toBeUndefined()
    expect(stampedBy({ kind: 'self_declared' }, 1)).toBeUndefined()
  })
})

describe('levelText', () => {
  const first = stamp({ by: A })
  const second = stamp({ by: B, time: '2026-11-22T10:00:05Z', accuracy: 0.25 })
  const third = stamp({ by: C, time: '2026-11-22T10:00:07Z', accuracy: null })
  const three = [first, second, third]
  const [a, b, c] = [A, B, C].map((of) => `${of.name} ${of.anchor_sha256.slice(0, 32)}…`)
  const writer = '; anchors chosen by the writer'
  it.each([
    ['self-declared', [], 0],
    [`stamped by 1 of 3 (${a}), 2026-11-22T10:00:03Z ± 1 s${writer}`, [first], 0],
    [`stamped by 2 of 3 (${a}, ${b}), 2026-11-22T10:00:03Z ± 1 s${writer}`, [first, second], 1],
    [`stamped by 2 of 3 (${a}, ${b}), 2026-11-22T10:00:05Z ± 0.25 s${writer}`, [first, second], 2],
    [`stamped by 3 of 3 (${a}, ${b}, ${c}), 2026-11-22T10:00:07Z${writer}`, three, 3],
    [`stamped by 1 of 3 (${a}), 2026-11-22T10:00:03Z ± 1 s; 2 are needed${writer}`, [first], 2],
  ])('%s', (text, stamps, atLeast) => {
    expect(levelText(computeLevel(1, stamps, ALL, atLeast))).toBe(text)
  })

  it('says that the anchors are the reader’s own', () => {
    const textOf = (stamps: LedgerStamp[]) =>
      levelText(computeLevel(1, stamps, ALL), toTrustChoice({ anchors: [] }))
    expect(textOf([first])).toMatch(/ ± 1 s; your anchors$/)
    expect(textOf([])).toBe('self-declared')
  })

  it('shows three names at most', () => {
    const four = [...three, stamp({ by: D, time: '2026-11-22T10:00:09Z' })]
    expect(levelText(computeLevel(1, four, [...ALL, D]))).toContain(`(${a}, ${b}, ${c}, …)`)
  })
})
