import { row } from './row.js'

const TOKEN = 'protocols/stamps/6c1f2a9f…/freetsa.tsr'

/** Stamps beside a ledger: where they lie, and what they cover. */
export const stampRows = {
  'stamp-not-counted': row(
    'error',
    { entry: 3, version: 'btc-hourly-v3', authority: 'freetsa', token: TOKEN },
    ({ entry, version, authority, token }) =>
      `the stamp of ${authority} over entry ${entry} (${version}) does not count: ${token} does not verify`,
    'Restore the file from version control. One that never verified can be made again: foreproof stamp --entry SEQ --tsa URL',
  ),
  'stamp-anchor-missing': row(
    'error',
    { authority: 'freetsa' },
    ({ authority }) => `there is no anchors/${authority}.pem to verify this stamp with`,
    'Restore the anchor from version control, or take it from the authority and compare its fingerprint.',
  ),
  'stamp-name-differs': row(
    'error',
    { authority: 'freetsa', found: 'digicert' },
    ({ authority, found }) =>
      `the stamp has the name of ${authority}, but leads to the anchor of ${found}`,
    'A stamp is named after the anchor that it leads to. Rename the file.',
  ),
  'stamp-file-unknown': row(
    'warning',
    { isFolder: true },
    ({ isFolder }) =>
      isFolder
        ? 'this folder has the name of no entry of the ledger'
        : 'this is no stamp: its name is not that of an authority with .tsr',
    'Stamps lie at stamps/ENTRY_SHA256/AUTHORITY.tsr. Those of an entry that ledger rebase gave a new place are lost: stamp it again, and remove the folder.',
  ),
  'stamp-failed': row<{ readonly why: string; readonly help: string | null }>(
    'error',
    { why: 'https://freetsa.org/tsr: answers with status 500', help: 'Try again later.' },
    ({ why }) => `no stamp was written: ${why}`,
    ({ help }) => help ?? undefined,
  ),
}
