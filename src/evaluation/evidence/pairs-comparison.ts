import { briefly } from '../../document/difference.js'
import { pairsIn } from './folder.js'

/** The first difference between stored pairs and those that the inputs give. */
export interface PairDifference {
  readonly fault: 'changed' | 'removed' | 'added'
  /** Line of the stored file, from 1. */
  readonly line: number
  /** Series, origin, step and model of the attempt. */
  readonly attempt: string
  readonly member: string
  readonly stored: string
  readonly computed: string
}

type Row = Readonly<Record<string, unknown>>

function parsed(line: string | undefined): Row | undefined {
  try {
    const value: unknown = JSON.parse(line ?? '')
    return typeof value === 'object' && value !== null ? (value as Row) : undefined
  } catch {
    return undefined
  }
}

function describeRow(row: Row | undefined): string {
  if (row === undefined) return 'no attempt'
  return [row.series, row.origin, row.step, row.model].map(plain).join(', ')
}

/** An edited file may contain anything of any length here. */
const plain = (value: unknown): string =>
  typeof value === 'string' && value.length <= 60 ? value : briefly(value)

function rowKey(row: Row | undefined): string {
  const { series, origin, step, model } = row ?? {}
  return JSON.stringify([series, origin, step, model])
}

/** Says how the first unequal line of two lists differs. */
function explain(
  stored: readonly (string | undefined)[],
  computed: readonly (string | undefined)[],
  line: number,
): PairDifference {
  const ours = parsed(computed[0])
  const theirs = parsed(stored[0])
  if (computed[0] === undefined && stored[0] === undefined) {
    const [attempt, member] = ['last line', 'line end']
    return { fault: 'changed', line, attempt, member, stored: '', computed: '' }
  }
  const base = { line, member: '', stored: stored[0] ?? '', computed: computed[0] ?? '' }
  if (computed[0] === undefined || stored[1] === computed[0]) {
    return { ...base, fault: 'added', attempt: describeRow(theirs) }
  }
  if (stored[0] === undefined || stored[0] === computed[1] || rowKey(theirs) !== rowKey(ours)) {
    return { ...base, fault: 'removed', attempt: describeRow(ours) }
  }
  const isOther = (key: string) => JSON.stringify(ours?.[key]) !== JSON.stringify(theirs?.[key])
  const member = Object.keys(ours ?? {}).find(isOther) ?? ''
  return {
    fault: 'changed',
    line,
    attempt: describeRow(ours),
    member,
    stored: briefly(theirs?.[member]),
    computed: briefly(ours?.[member]),
  }
}

/** Longer than any two lines of pairs. */
const AHEAD = 65_536

/** Compares the pairs of a folder with text that arrives in pieces, each of complete lines. The caller closes it. */
export class PairsComparison {
  readonly #pieces: Generator<Uint8Array, undefined>
  #ahead: Uint8Array = new Uint8Array()
  #line = 1
  #difference: PairDifference | undefined

  constructor(folder: string) {
    this.#pieces = pairsIn(folder)
  }

  readonly compare = (piece: string): void => {
    if (this.#difference !== undefined || piece === '') return
    const expected = Buffer.from(piece)
    const actual = this.#read(expected.length)
    const lines = piece.split('\n')
    if (actual.equals(expected)) {
      this.#line += lines.length - 1
      return
    }
    const rest = Buffer.concat([actual, this.#read(AHEAD)]).toString('utf8')
    const stored = rest.split('\n')
    const at = lines.findIndex((line, index) => line !== stored[index])
    const tail = (all: readonly string[]) =>
      [at, at + 1].map((index) => (all[index] === '' ? undefined : all[index]))
    this.#difference = explain(tail(stored), tail(lines), this.#line + at)
  }

  /** Whether all pieces so far are equal. */
  get isEqual(): boolean {
    return this.#difference === undefined
  }

  /** The first difference, after all pieces; undefined if there is none. */
  difference(): PairDifference | undefined {
    if (this.#difference === undefined) {
      const rest = this.#read(AHEAD)
      if (rest.length > 0) {
        this.#difference = explain(rest.toString('utf8').split('\n'), [], this.#line)
      }
    }
    return this.#difference
  }

  close(): void {
    this.#pieces.return(undefined)
  }

  #read(length: number): Buffer {
    const parts: Uint8Array[] = []
    for (let left = length; left > 0; ) {
      if (this.#ahead.length === 0) this.#ahead = this.#pieces.next().value ?? this.#ahead
      if (this.#ahead.length === 0) break
      const part = this.#ahead.subarray(0, left)
      this.#ahead = this.#ahead.subarray(part.length)
      left -= part.length
      parts.push(part)
    }
    return Buffer.concat(parts)
  }
}
