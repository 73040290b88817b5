import { type ArgsOf, type Finding, finding } from '../../contract/findings/finding.js'
import { isObject } from '../../contract/is-object.js'
import { pointerTo } from '../../contract/pointer.js'
import { canonicalize } from '../../document/canonical.js'

/** Whether a change makes a claim of improvement easier or harder to reach. */
export type Direction = 'loosens' | 'tightens'

export interface Difference {
  readonly kind: 'changed' | 'added' | 'removed' | 'reordered'
  readonly pointer: string
  /** Absent if something was added. */
  readonly from?: unknown
  /** Absent if something was removed. */
  readonly to?: unknown
  readonly direction?: Direction
}

/** Numbers that make the test stricter (1) or more lenient (-1) when they increase. */
const STRICTER_WITH_MORE: Readonly<Record<string, 1 | -1>> = {
  '/uncertainty/replicates': 1,
  '/uncertainty/block_length_origins': 1,
  '/uncertainty/multiplicity/alpha': -1,
  '/sampling/minimum_effective_sample/paired_origins_per_horizon': 1,
  '/sampling/minimum_effective_sample/effective_independent_blocks_per_comparison': 1,
  '/design/practical_effect_floor': 1,
}

/** Lists in which every item is an additional hurdle. */
const HURDLES = new Set(['/estimands/comparisons/required'])

/**
 * Every difference in meaning between two JSON values, in the order of the first. Lists of texts are compared as
 * ordered sets: what was added, what was removed, or that only the order changed; other lists item by item.
 * @param ignored - pointers to skip, such as that of the digest.
 */
export function compareDocuments(
  a: unknown,
  b: unknown,
  ignored: ReadonlySet<string> = new Set(),
): Difference[] {
  const differences: Difference[] = []
  walk(a, b, '', ignored, differences)
  return differences
}

function walk(
  a: unknown,
  b: unknown,
  pointer: string,
  ignored: ReadonlySet<string>,
  changes: Difference[],
): void {
  if (ignored.has(pointer)) return
  if (isObject(a) && isObject(b)) {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
      const here = pointerTo(pointer, key)
      if (ignored.has(here)) continue
      if (!Object.hasOwn(b, key)) changes.push({ kind: 'removed', pointer: here, from: a[key] })
      else if (!Object.hasOwn(a, key)) changes.push({ kind: 'added', pointer: here, to: b[key] })
      else walk(a[key], b[key], here, ignored, changes)
    }
  } else if (isTextSet(a) && isTextSet(b)) changes.push(...compareLists(a, b, pointer))
  else if (Array.isArray(a) && Array.isArray(b) && a.length === b.length) {
    for (const [index, item] of a.entries()) {
      walk(item, b[index], pointerTo(pointer, index), ignored, changes)
    }
  } else if (canonicalize(a) !== canonicalize(b)) {
    const direction = findDirection(pointer, a, b)
    changes.push({ kind: 'changed', pointer, from: a, to: b, ...(direction && { direction }) })
  }
}

function findDirection(pointer: string, from: unknown, to: unknown): Direction | undefined {
  const sign = STRICTER_WITH_MORE[pointer]
  if (sign === undefined || typeof from !== 'number' || typeof to !== 'number') return undefined
  return (to - from) * sign > 0 ? 'tightens' : 'loosens'
}

function compareLists(
  a: readonly string[],
  b: readonly string[],
  pointer: string,
): readonly Difference[] {
  const missingFrom = (of: readonly string[], other: readonly string[]) =>
    of.flatMap((item, at) =>
      other.includes(item) ? [] : [[pointerTo(pointer, at), item] as const],
    )
  const turn = (direction: Direction) => HURDLES.has(pointer) && { direction }
  const changes: Difference[] = [
    ...missingFrom(a, b).map(([at, from]) => {
      return { kind: 'removed' as const, pointer: at, from, ...turn('loosens') }
    }),
    ...missingFrom(b, a).map(([at, to]) => {
      return { kind: 'added' as const, pointer: at, to, ...turn('tightens') }
    }),
  ]
  const same = a.length === b.length && a.every((item, index) => item === b[index])
  if (changes.length === 0 && !same) changes.push({ kind: 'reordered', pointer, from: a, to: b })
  return changes
}

/** Findings for differences: a warning if it loosens the test, else a note. */
export function differenceFindings(differences: readonly Difference[]): Finding[] {
  return differences.map((difference) => {
    const { kind, pointer, direction } = difference
    const severity = direction === 'loosens' ? 'warning' : 'note'
    return finding(
      'difference',
      { kind, ...differenceArguments(difference) },
      { pointer, severity },
    )
  })
}

/** From, to and direction in the form of the message arguments. */
export function differenceArguments({
  from,
  to,
  direction,
}: Difference): Omit<ArgsOf<'difference'>, 'kind'> {
  const [before, after] = excerpts(from, to)
  return { from: before, to: after, direction: direction ?? null }
}

const EXCERPT = 60
const LEAD = 12

/** Two values as short JSON; of long texts, the part where they begin to differ. */
function excerpts(from: unknown, to: unknown): [string | null, string | null] {
  const a = from === undefined ? undefined : canonicalize(from)
  const b = to === undefined ? undefined : canonicalize(to)
  let common = 0
  if (a !== undefined && b !== undefined)
    while (common < a.length && a[common] === b[common]) common++
  return [excerpt(a, common, b), excerpt(b, common, a)]
}

function excerpt(text: string | undefined, common: number, other = ''): string | null {
  if (text === undefined) return null
  if (text.length <= EXCERPT) return unlike(text, other)
  const start = Math.min(Math.max(0, common - LEAD), Math.max(0, text.length - EXCERPT))
  const end = start + EXCERPT
  return `${start > 0 ? '…' : ''}${unlike(text.slice(start, end), other)}${end < text.length ? '…' : ''}`
}

/**
 * A text with the code points of characters outside ASCII that the other text lacks, because some are invisible and
 * some look like ASCII letters.
 */
function unlike(text: string, other: string): string {
  return text.replace(/[^\x20-\x7e]/gu, (character) =>
    other.includes(character) ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )
}

function isTextSet(value: unknown): value is readonly string[] {
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) return false
  return new Set(value).size === value.length
}
