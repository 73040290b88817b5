import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { ForeproofError } from '../contract/error.js'

const LEDGER = 'ledger.jsonl'

/**
 * The protocol folder of a registration that does not lie beside it: the first folder, from that of
 * the registration upwards, that holds a ledger with the registration's digest, itself or in
 * `protocols/`.
 * @throws {ForeproofError} `usage` when there is none.
 */
export function findProtocolFolder(registration: string): string {
  const digest = /"registration_sha256"\s*:\s*"([0-9a-f]{64})"/.exec(textOf(registration))?.[1]
  for (let folder = dirname(resolve(registration)); ; folder = dirname(folder)) {
    for (const place of [folder, join(folder, 'protocols')]) {
      const ledger = textOf(join(place, LEDGER))
      if (digest !== undefined && ledger.includes(digest)) return place
    }
    if (folder === dirname(folder)) break
  }
  throw new ForeproofError(
    'usage',
    `${registration}: no ledger here or above has this registration`,
    {
      file: registration,
      help: 'Name the frozen protocol or its folder: --protocol PATH',
    },
  )
}

function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}
