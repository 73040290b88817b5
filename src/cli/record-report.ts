import type { ForeproofRecord } from '../record/track-record.js'

/** The figures of a record for a machine. */
export const recordFigures = ({ built_at, ledger, counts, chance }: ForeproofRecord) => ({
  ...{ built_at, ledger, counts, chance },
})
