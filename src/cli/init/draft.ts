import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Protocol } from '../../contract/types.js'
import { shippedProtocols } from '../demo/synthetic-data.js'

/** The protocol that a draft is made from. */
export const SOURCE = 'btcusd-hourly-2'

/** Of the shipped protocol alone: what it replaces. */
const REPLACES = / It replaces .*$/

/** The shipped protocol as the draft of another one: with a name of its own and no digest yet. */
export function protocolDraft(version: string): Protocol {
  const file = join(shippedProtocols(), `${SOURCE}.json`)
  const shipped = JSON.parse(readFileSync(file, 'utf8')) as Protocol
  return {
    ...shipped,
    protocol_sha256: '0'.repeat(64),
    protocol_version: version,
    purpose: shipped.purpose.replace(REPLACES, ''),
  }
}

/** A version that is named after a folder, and can name a file on every system. */
export function versionFor(folderName: string): string {
  const words = folderName.toLowerCase().match(/[a-z0-9]+/g) ?? ['protocol']
  return `${words.join('-').slice(0, 60)}-1`
}
