import { error, warning } from './row.js'

const ROW = '2026-01-02T03:00:00+00:00, seer, 24 h'

/** What an import rejects or leaves alone. */
export const importRows = {
  'import-unknown-value': error(
    {
      value: [
        'this is not a forecast, an attempt or an API body, but {found}',
        'A forecast has forecast_id, an attempt has model_name, status and reason, a body has api_version; a row of a table has origin_at, or --columns says where that is.',
      ],
      'error-body': [
        'this is an error response of the API ({found}), not a page',
        'Fetch the page again.',
      ],
    },
    { fault: 'value', found: 'an object with time, price' },
  ),
  'row-refused': error(
    {
      import: [
        '{row}: the database refuses this row: {detail}',
        "The producer's tables are stricter than the format, or PostgreSQL cannot hold it: import into a new file.",
      ],
      copy: [
        '{row}: it cannot be copied as it is: {detail}',
        'Nothing was written. Export the history, mend what is reported, and import that into a new one.',
      ],
    },
    { fault: 'import', row: ROW, detail: 'CHECK constraint failed: horizon_hours IN (24, 48)' },
  ),
  'import-attempt-member': warning<{ members: readonly string[] }>(
    ({ members }) => `these members of an attempt are not stored: ${members.join(', ')}`,
    { members: ['retries'] },
    'To keep something, write it into the reason.',
  ),
  'import-conflict': error<{
    row: string
    /** Pointers to what differs; `''` is the whole row. */
    differs: readonly string[]
    /** What the history holds under the same key. */
    other: 'forecast' | 'attempt'
  }>(
    (args) => {
      const differs = args.differs.filter((pointer) => pointer !== '')
      if (differs.length > 0) {
        return `${args.row}: the history has a different row with this key (${differs.join(', ')})`
      }
      return args.other === 'attempt'
        ? `${args.row}: the history has a recorded attempt without a forecast for this key`
        : `${args.row}: the history already has a forecast with this key`
    },
    { row: ROW, differs: ['/estimate/price_usd'], other: 'forecast' },
    'The first write of a key wins: the row in the history is kept.',
  ),
}
