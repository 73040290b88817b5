import type { ForeproofRecord } from '../record/types.js'
import { chanceSentences, firstLine, tableLines, unprovedSaid } from '../record/words.js'

/** What a terminal shows of a record. */
export function recordBody(record: ForeproofRecord): string {
  const lines = [
    ...firstLine(record),
    ...tableLines(record),
    ...chanceSentences(record),
    unprovedSaid(record),
  ]
  return lines.filter((line) => line !== undefined).join('\n')
}

/** The figures of a record for a machine. */
export const recordFigures = ({ built_at, ledger, counts, chance }: ForeproofRecord) => ({
  ...{ built_at, ledger, counts, chance },
})
