import { row } from './row.js'

const ROW = '2026-01-02T03:00:00+00:00, seer, 24 h'

/** What an import rejects or leaves alone. */
export const importRows = {
  'import-unknown-value': row<{ found: string; members: readonly string[] }>(
    'error',
    { found: 'object', members: ['time', 'price'] },
    ({ found, members }) =>
      found === 'object'
        ? `this is not a forecast, an attempt or an API body, but an object with ${members.join(', ') || 'no members'}`
        : `this is not a forecast, an attempt or an API body, but ${found === 'array' ? 'an array' : found}`,
    'A forecast has forecast_id, an attempt has model_name, status and reason, a body has api_version; a row of a table has origin_at, or --columns says where that is.',
  ),
  'import-error-body': row(
    'error',
    { code: 'rate_limited' },
    ({ code }) => `this is an error response of the API (${code}), not a page`,
    'Fetch the page again.',
  ),
  'import-attempt-member': row<{ members: readonly string[] }>(
    'warning',
    { members: ['retries'] },
    ({ members }) => `these members of an attempt are not stored: ${members.join(', ')}`,
    'To keep something, write it into the reason.',
  ),
  'import-conflict': row<{
    row: string
    /** Pointers to what differs; `''` is the whole row. */
    differs: readonly string[]
    /** What the history holds under the same key. */
    other: 'forecast' | 'attempt'
  }>(
    'error',
    { row: ROW, differs: ['/estimate/price_usd'], other: 'forecast' },
    (args) => {
      const differs = args.differs.filter((pointer) => pointer !== '')
      if (differs.length > 0) {
        return `${args.row}: the history has a different row with this key (${differs.join(', ')})`
      }
      return args.other === 'attempt'
        ? `${args.row}: the history has a recorded attempt without a forecast for this key`
        : `${args.row}: the history already has a forecast with this key`
    },
    'The first write of a key wins: the row in the history is kept.',
  ),
  'import-constraint': row(
    'error',
    { row: ROW, detail: 'CHECK constraint failed: horizon_hours IN (24, 48)' },
    (args) => `${args.row}: the database refuses this row: ${args.detail}`,
    "The producer's tables are stricter than the format, or PostgreSQL cannot hold it: import into a new file.",
  ),
  'copy-row': row(
    'error',
    { row: ROW, detail: 'vintage_id has U+0000, which PostgreSQL cannot hold' },
    (args) => `${args.row}: it cannot be copied as it is: ${args.detail}`,
    'Nothing was written. Export the history, mend what is told, and import that into a new one.',
  ),
}
