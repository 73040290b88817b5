import { type Finding, finding, type Severity } from './finding.js'
import type { RestCount } from './general.js'

/** So many findings of a kind, which is a code with a severity, are shown as text. */
export const SHOWN_OF_A_KIND = 20

/** So many findings are kept for a machine. */
const MAX_FINDINGS = 10_000

/** Arguments that tell one sort from another, and how often it was found, where a finding says that. */
interface Counting {
  readonly column?: string
  readonly fault?: string
  readonly count?: number
}

interface Kind {
  readonly severity: Severity
  /** How many were counted, and where the last is. */
  readonly rest: RestCount
}

export const kindKey = ({ of, severity }: { of: string; severity: Severity }): string =>
  `${severity} ${of}`

/**
 * Findings of a file that may have millions of them: all are counted, the first `max` are kept, and of
 * every kind that goes on after them it is known how many, and where the last is. The memory does not grow with their number.
 */
export class FindingList {
  readonly #kept: Finding[] = []
  readonly #kinds = new Map<string, Kind>()
  /** Where the first of each sort was kept. */
  readonly #briefly = new Map<string, number>()
  #withheld = 0

  constructor(private readonly max = MAX_FINDINGS) {}

  add(found: Finding): void {
    if (readRest(found) !== undefined) this.#count(found)
    else if (this.#kept.length < this.max) this.#kept.push(found)
    else this.#count(found)
  }

  /**
   * The same, but only the first one of its sort is kept: of a column, and of what is wrong there. One that counts
   * counts the others, too.
   */
  addBriefly(found: Finding): void {
    const { column = '', fault = '', count } = found.args as Counting
    const place = count === undefined ? found.pointer : ''
    const sort = [found.severity, found.code, found.file, place, column, fault].join()
    const at = this.#briefly.get(sort)
    const first = at === undefined ? undefined : this.#kept[at]
    if (first === undefined) {
      this.#briefly.set(sort, this.#kept.length)
      this.add(found)
    } else if (count === undefined) this.#count(found)
    else {
      const { count: before = 0 } = first.args as Counting
      this.#kept[at as number] = {
        ...first,
        args: { ...first.args, count: before + count },
      } as Finding
    }
  }

  /** Also what another list counted. */
  #count(found: Finding): void {
    const { code, severity, file = null, position } = found
    const rest = readRest(found) ?? { of: code, count: 1, file, line: position?.line ?? null }
    const key = kindKey({ of: rest.of, severity })
    const before = this.#kinds.get(key)?.rest.count ?? 0
    this.#kinds.set(key, { severity, rest: { ...rest, count: before + rest.count } })
    this.#withheld += rest.count
  }

  /** How many were counted and not kept. */
  get withheld(): number {
    return this.#withheld
  }

  /** What was kept, and for every kind of which more was found one finding that says so. */
  all(): Finding[] {
    const rests = [...this.#kinds.values()].map(({ severity, rest }) =>
      finding('more-findings', rest, { severity }),
    )
    return [...this.#kept, ...rests]
  }
}

/** Findings of one document, of which there may be hundreds of thousands: as many as a `FindingList` keeps. */
export function capFindings(findings: Iterable<Finding>): Finding[] {
  const list = new FindingList()
  for (const each of findings) list.add(each)
  return list.all()
}

/** What a finding counts that is not listed; undefined where it is one of the list. */
export function readRest(found: Finding): RestCount | undefined {
  return found.code === 'more-findings' ? found.args : undefined
}
