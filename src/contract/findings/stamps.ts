import { error, warning } from './row.js'

const TOKEN = 'protocols/stamps/6c1f2a9f…/freetsa.tsr'

/** What lies in the folder of all stamps, or in that of one entry, and does not belong there. */
const NOT_A_STAMP = {
  entries: {
    folder: 'this folder has the name of no entry of the ledger',
    file: 'this is a file, where folders named after entries of the ledger lie',
  },
  stamps: {
    folder: 'this is a folder, where a stamp is a file',
    file: 'this is no stamp: its name is not that of an authority with .tsr',
  },
} as const

/** Stamps beside a ledger: where they lie, and what they cover. */
export const stampRows = {
  'stamp-not-counted': error(
    'the stamp of {authority} over entry {entry} ({version}) does not count: {token} does not verify',
    { entry: 3, version: 'btc-hourly-v3', authority: 'freetsa', token: TOKEN },
    'Restore the file from version control. One that never verified can be made again: foreproof stamp --entry SEQ --tsa URL',
  ),
  'stamp-misnamed': error<{ readonly authority: string; readonly found: string | null }>(
    ({ authority, found }) =>
      found === null
        ? `there is no anchors/${authority}.pem to verify this stamp with`
        : `the stamp has the name of ${authority}, but leads to the anchor of ${found}`,
    { authority: 'freetsa', found: 'digicert' },
    'A stamp is named after the anchor that it leads to. Rename the file, or restore the anchor from version control.',
  ),
  'stamp-file-unknown': warning<{
    readonly among: 'entries' | 'stamps'
    readonly isFolder: boolean
  }>(
    ({ among, isFolder }) => NOT_A_STAMP[among][isFolder ? 'folder' : 'file'],
    { among: 'entries', isFolder: true },
    'Stamps lie at stamps/ENTRY_SHA256/AUTHORITY.tsr. Those of an entry that ledger rebase gave a new place are lost: stamp it again, and remove the folder.',
  ),
  'stamp-failed': error<{ readonly why: string; readonly help: string | null }>(
    'no stamp was written: {why}',
    { why: 'https://freetsa.org/tsr: answers with status 500', help: 'Try again later.' },
    ({ help }) => help ?? undefined,
  ),
}
