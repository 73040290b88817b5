import { type Finding, finding, type Severity } from './finding.js'
import type { RestCount } from './general.js'

/** Maximum number of findings of a kind (a code with a severity) to show as text. */
export const SHOWN_OF_A_KIND = 20

/** Maximum number of findings to keep for machines. */
const MAX_FINDINGS = 10_000

/** Arguments that distinguish sorts of findings, and the number of occurrences, if the finding has one. */
interface Counting {
  readonly column?: string
  readonly fault?: string
  readonly count?: number
}

interface Kind {
  readonly severity: Severity
  /** The number of those that were counted, and the position of the last. */
  readonly rest: RestCount
}

export const kindKey = ({ of, severity }: { of: string; severity: Severity }): string =>
  `${severity} ${of}`

/**
 * Findings of a file that may have millions of them. All are counted, and the first `max` are kept. For every kind with
 * more, the list knows their number and the position of the last. Memory does not grow with the number of findings.
 */
export class FindingList {
  readonly #kept: Finding[] = []
  readonly #kinds = new Map<string, Kind>()
  /** Position of the first kept finding of each sort. */
  readonly #briefly = new Map<string, number>()
  #withheld = 0

  constructor(private readonly max = MAX_FINDINGS) {}

  add(found: Finding): void {
    if (readRest(found) !== undefined) this.#count(found)
    else if (this.#kept.length < this.max) this.#kept.push(found)
    else this.#count(found)
  }

  /**
   * The same, but keeps only the first finding of its sort: of a column and its fault. If that has a count, the others
   * are added to it.
   */
  addBriefly(found: Finding): void {
    const { column = '', fault = '', count } = found.args as Counting
    const pointer = count === undefined ? found.pointer : ''
    const sort = [found.severity, found.code, found.file, pointer, column, fault].join()
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

  /** Also counts what another list has counted. */
  #count(found: Finding): void {
    const { code, severity, file = null, position } = found
    const rest = readRest(found) ?? { of: code, count: 1, file, line: position?.line ?? null }
    const key = kindKey({ of: rest.of, severity })
    const before = this.#kinds.get(key)?.rest.count ?? 0
    this.#kinds.set(key, { severity, rest: { ...rest, count: before + rest.count } })
    this.#withheld += rest.count
  }

  /** The number of findings that were counted and not kept. */
  get withheld(): number {
    return this.#withheld
  }

  /** The kept findings, and one finding for each kind of which more were found. */
  all(): Finding[] {
    const rests = [...this.#kinds.values()].map(({ severity, rest }) =>
      finding('more-findings', rest, { severity }),
    )
    return [...this.#kept, ...rests]
  }
}

/** Limits the findings of one document, which may be hundreds of thousands, to those that a `FindingList` keeps. */
export function capFindings(findings: Iterable<Finding>): Finding[] {
  const list = new FindingList()
  for (const each of findings) list.add(each)
  return list.all()
}

/** The unlisted findings that a finding counts; undefined for a finding of the list itself. */
export function readRest(found: Finding): RestCount | undefined {
  return found.code === 'more-findings' ? found.args : undefined
}
