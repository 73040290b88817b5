import type { Finding } from '../../contract/findings/finding.js'
import { FindingList } from '../../contract/findings/finding-list.js'
import type { HistoryImportCounts, HistoryImportResult } from './import-types.js'
import type { PutResult } from './put.js'

type Counts = { -readonly [K in keyof HistoryImportCounts]: number }
export type Counted = 'forecasts' | 'attempts'

const NO_COUNTS: Counts = { added: 0, unchanged: 0, conflicts: 0 }

/** What an import has come to so far: its counts, and what is to be said of its values. */
export class Tally {
  readonly #findings: FindingList
  readonly #counts = { forecasts: { ...NO_COUNTS }, attempts: { ...NO_COUNTS } }
  #committed = { forecasts: NO_COUNTS, attempts: NO_COUNTS }
  #rows = 0
  #rowsCommitted = 0
  #rejected = 0

  constructor(maxFindings: number | undefined) {
    this.#findings = new FindingList('history-more', maxFindings)
  }

  get rows(): number {
    return this.#rows
  }

  /** Rows since the last commit. */
  get uncommitted(): number {
    return this.#rows - this.#rowsCommitted
  }

  get conflicts(): number {
    return this.#counts.forecasts.conflicts + this.#counts.attempts.conflicts
  }

  /** True once something was rejected. */
  get refused(): boolean {
    return this.#rejected > 0
  }

  /** Whether one finding of a sort is enough: the rows of a table are alike, and so are their faults. */
  brief = false

  report(finding: Finding): void {
    // Prices in another unit are so in every row: the first, and how many.
    const brief = this.brief || finding.code === 'price-implausible'
    if (brief) this.#findings.addBriefly(finding)
    else this.#findings.add(finding)
  }

  reject(findings: readonly Finding[]): void {
    this.#rejected++
    for (const finding of findings) this.report(finding)
  }

  count(what: Counted, { kind }: PutResult): void {
    this.#rows++
    this.#counts[what][kind === 'conflict' ? 'conflicts' : kind]++
  }

  commit(): void {
    const { forecasts, attempts } = this.#counts
    this.#committed = { forecasts: { ...forecasts }, attempts: { ...attempts } }
    this.#rowsCommitted = this.#rows
  }

  result(): HistoryImportResult {
    const { forecasts, attempts } = this.#committed
    return {
      findings: this.#findings.all(),
      withheld: this.#findings.withheld,
      forecasts,
      attempts,
      rejected: this.#rejected,
      written: forecasts.added + attempts.added,
    }
  }
}
