import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { createAuthority, type DemoAuthority } from '../../src/cli/demo/authority.js'
import { checkedInstant, type Instant } from '../../src/contract/instant.js'
import { freezeProtocol } from '../../src/protocol/freeze.js'
import { ledgerPath, readLedgerFile } from '../../src/protocol/ledger-file.js'
import type { LedgerEntry } from '../../src/protocol/rules/entry.js'
import type { Ledger } from '../../src/protocol/rules/ledger.js'
import { encodeQuery } from '../../src/time/rfc3161/structures.js'
import { stampedBytes, tokenFile } from '../../src/time/token-file.js'
import { documentOf, draftText } from '../protocol/sample.js'
import { temporaryFolder } from '../support/folder.js'
import { put } from '../support/text-file.js'

export const FROZEN_AT = '2026-11-22T09:00:00Z'

/** A folder with a ledger of so many frozen protocols: v1, v2, … */
export function frozenFolder(count: number): string {
  const folder = temporaryFolder()
  for (let at = 1; at <= count; at++) {
    freezeProtocol(documentOf(draftText(`v${at}`)), { folder, now: checkedInstant(FROZEN_AT) })
  }
  return folder
}

export function ledgerIn(folder: string): Ledger {
  return readLedgerFile(ledgerPath(folder)) as Ledger
}

export function entryOf(folder: string, seq: number): LedgerEntry {
  return ledgerIn(folder).lines[seq - 1]?.entry as LedgerEntry
}

export interface Clock {
  now: Instant
}

/** An authority that a folder trusts, under a name. Its clock can be set. */
export async function trustedAuthority(
  folder: string,
  name: string,
  clock: Clock,
): Promise<DemoAuthority> {
  const authority = await createAuthority({ name, now: () => clock.now })
  put(join(folder, 'anchors', `${name}.pem`), authority.anchorPem)
  return authority
}

/** Puts an authority's token over an entry where it belongs. */
export async function putToken(
  folder: string,
  seq: number,
  name: string,
  authority: DemoAuthority,
): Promise<string> {
  const entry = entryOf(folder, seq)
  const query = encodeQuery(stampedBytes(entry), Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8))
  const file = tokenFile(folder, entry, name)
  put(file, await authority.reply(query))
  return file
}

/** Every file below a folder with its content, to see that nothing was written. */
export function filesIn(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name)
      return [relative(folder, path), readFileSync(path, 'latin1')]
    }),
  )
}
