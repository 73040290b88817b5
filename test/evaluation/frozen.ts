import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Reading, Result } from '../../src/evaluation/result/result.js'
import { ROOT } from '../support/run.js'

/** Key figures of a reading, as an earlier and separate computation found them. */
interface Frozen {
  /** `null` where there is none. */
  readonly tests: Readonly<Record<string, readonly (number | string | null)[]>>
  readonly verdicts: Readonly<Record<string, readonly (number | string | null)[]>>
  /** The disposition, and the codes of its reasons. */
  readonly dispositions: Readonly<Record<string, readonly [string, readonly string[]]>>
  /** By model and step, then by measure. */
  readonly means: Readonly<Record<string, Readonly<Record<string, number | null>>>>
  /** By comparator and step. */
  readonly waiting: Readonly<Record<string, number>>
}
const FROZEN: Readonly<Record<string, Frozen>> = JSON.parse(
  readFileSync(join(ROOT, 'test/golden/evaluation/frozen.json'), 'utf8'),
)

const near = (found: unknown, wanted: unknown): boolean =>
  typeof found === 'number' && typeof wanted === 'number'
    ? Math.abs(found - wanted) <= 1e-12 * Math.max(1, Math.abs(wanted))
    : found === wanted

/** What differs by more than 1e-12. */
function differing(name: string, found: readonly unknown[], wanted: readonly unknown[]): string[] {
  const isSame = found.length === wanted.length && found.every((one, at) => near(one, wanted[at]))
  return isSame ? [] : [`${name}: ${JSON.stringify(found)} for ${JSON.stringify(wanted)}`]
}

const figuresOf = (test: Reading['tests'][number]) => [
  ...[test.pairs, test.effective_blocks, test.observed, test.comparator_mean],
  ...[test.standard_error, test.p, test.p_adjusted],
  ...[test.bounds?.lower ?? null, test.bounds?.upper ?? null],
  ...[test.bounds_simultaneous?.lower ?? null, test.bounds_simultaneous?.upper ?? null],
  ...[test.group_bound, test.decision],
]

/** Where a candidate has no pair, a direction is not comparable; it was called blocked. */
const kinds = (codes: readonly string[]) =>
  [...new Set(codes)].filter((code) => code !== 'direction_not_comparable')

/** A reading has the frozen figures of its name. */
export function expectFrozen(name: string, { reading }: Result): void {
  const { tests, verdicts, dispositions, means, waiting } = FROZEN[name] as Frozen
  const found = new Map(reading.tests.map((test) => [test.name, test]))
  const others = [
    ...Object.entries(tests).flatMap(([test, wanted]) => {
      const own = found.get(test)
      // Of a direction that the comparator calls too rarely nothing is shown.
      return own?.cells === 0 ? [] : differing(test, own ? figuresOf(own) : [], wanted)
    }),
    ...reading.verdicts.flatMap(({ candidate, p, p_adjusted, decision }) =>
      differing(candidate, [p, p_adjusted, decision], verdicts[candidate] ?? []),
    ),
    ...(reading.dispositions ?? []).flatMap(({ candidate, disposition, reasons }) => {
      const [said, codes] = dispositions[candidate] ?? ['', []]
      const own = reasons.map(({ code }) => code)
      return differing(candidate, [disposition, ...kinds(own)], [said, ...kinds(codes)])
    }),
    ...reading.measures.flatMap(({ model, step, scope, means: own }) => {
      if (scope !== 'all') return []
      const wanted = Object.entries(means[`${model} ${step}`] ?? {})
      return differing(
        `${model} ${step}`,
        wanted.map(([measure]) => own[measure]),
        wanted.map(([, mean]) => mean),
      )
    }),
    ...differing(
      'waiting',
      reading.waiting.map(({ w }) => w),
      Object.values(waiting),
    ),
  ]
  expect(others.slice(0, 5)).toEqual([])
  expect(Object.keys(tests).length).toBeGreaterThan(0)
  expect(Object.keys(verdicts)).toHaveLength(reading.verdicts.length)
}
