import { dirname, join, resolve } from 'node:path'
import { ForeproofError } from '../contract/error.js'
import { readRegular } from '../files/regular.js'

const LEDGER = 'ledger.jsonl'
const MAX_BYTES = 32 * 1_048_576

/**
 * The protocol folder of a registration that does not lie beside it: the first folder, from that of
 * the registration upwards, that holds a ledger with the registration's digest, itself or in
 * `protocols/`.
 * @throws {ForeproofError} `usage` when there is none, or the file is no registration.
 */
export function findProtocolFolder(registration: string): string {
  const digest = digestIn(registration)
  for (let folder = dirname(resolve(registration)); ; folder = dirname(folder)) {
    for (const place of [folder, join(folder, 'protocols')]) {
      const ledger = textOf(join(place, LEDGER))
      if (ledger.includes(digest)) return place
    }
    if (folder === dirname(folder)) break
  }
  throw new ForeproofError(
    'usage',
    `${registration}: no ledger in this folder or above it has this registration`,
    {
      file: registration,
      help: 'Name the frozen protocol or its folder: --protocol PATH',
    },
  )
}

function digestIn(registration: string): string {
  const text = new TextDecoder().decode(readRegular(registration, MAX_BYTES))
  const digest = /"registration_sha256"\s*:\s*"([0-9a-f]{64})"/.exec(text)?.[1]
  if (digest !== undefined) return digest
  throw new ForeproofError('usage', `${registration}: is not a registration`, {
    file: registration,
    help: 'Name the file that foreproof register wrote.',
  })
}

function textOf(path: string): string {
  try {
    return readRegular(path, MAX_BYTES).toString('utf8')
  } catch {
    // Most folders on the way hold no ledger, and some cannot be read.
    return ''
  }
}
