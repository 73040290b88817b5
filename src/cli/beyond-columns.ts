import { printable } from '../contract/printable.js'
import { grouped } from './wording.js'

/** What rows say and a table has no column for. */
export class BeyondColumns {
  #rows = 0
  readonly #rowsWith = new Map<string, number>()

  readonly add = (parts: readonly string[]): void => {
    this.#rows++
    for (const part of new Set(parts.map(shortened))) {
      if (this.#rowsWith.size >= MOST_PARTS && !this.#rowsWith.has(part)) continue
      this.#rowsWith.set(part, (this.#rowsWith.get(part) ?? 0) + 1)
    }
  }

  /** What to tell a person, with a line end; empty where nothing was left out. */
  text(): string {
    if (this.#rows === 0) return ''
    const parts = [...this.#rowsWith].sort(([, a], [, b]) => b - a)
    const shown = parts
      .slice(0, SHOWN_PARTS)
      .map(([part, rows]) => `  ${printable(part)}: ${grouped(rows)}`)
    const more = parts.length > SHOWN_PARTS ? ['  and others'] : []
    return `${[
      `foreproof: ${grouped(this.#rows)} rows say more than a table has columns for; left out, with the number of rows:`,
      ...shown,
      ...more,
      '  Export NDJSON to keep all of it.',
      '',
    ].join('\n')}`
  }
}

/** Members of a manifest or of somebody's own are told by the member that they are in. */
function shortened(pointer: string): string {
  return pointer.split('/').slice(0, 3).join('/')
}

/** Names are of others' making: there may be very many. */
const MOST_PARTS = 1000
const SHOWN_PARTS = 10
