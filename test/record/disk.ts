import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Instant } from '../../src/contract/instant.js'
import { canonicalize } from '../../src/document/canonical.js'
import { entryText, ledgerText } from '../../src/protocol/ledger-file.js'
import { accessPath, accessText } from '../../src/protocol/readings.js'
import type { ForeproofRecord } from '../../src/record/track-record.js'
import { encodeQuery } from '../../src/time/rfc3161/structures.js'
import { stampedBytes, tokenFile } from '../../src/time/token-file.js'
import { makeStampedWorld, type Witnesses, witnesses } from '../evaluation/stamped-world.js'
import type { World } from '../evaluation/world.js'
import { BY_VERDICT } from '../registration/made.js'
import { inProcess } from '../support/in-process.js'
import { put } from '../support/text-file.js'
import { day, type MadeLedger, type Templates } from './made-ledger.js'

/** What ledgers on a disk are made from: a registration that was stamped and scored by commands. */
export interface Origin {
  readonly by: Witnesses
  readonly world: World
  readonly templates: Templates
}

export async function makeOrigin(): Promise<Origin> {
  const by = await witnesses('tsa')
  const world = await makeStampedWorld({ by, method: BY_VERDICT })
  const { registration, history, outcomes, protocol } = world.paths
  const inputs = ['--registration', registration, '--history', history, '--outcomes', outcomes]
  const out = join(world.folder, 'evidence')
  const { code, stdout } = await inProcess(['score', ...inputs, '--out', out])
  expect([code, stdout]).toEqual([0, expect.any(String)])
  const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
  const { protocol_version, protocol_sha256 } = read(join(protocol, 'made-1.json'))
  return {
    ...{ by, world },
    templates: {
      protocol: { protocol_version, protocol_sha256 },
      registration: read(registration),
      result: read(join(out, 'result.json')),
    },
  }
}

/** Writes a made ledger as its keeper has it: protocols/, registrations/ and evidence/. */
export async function saveLedger(
  folder: string,
  ledger: MadeLedger,
  { by, world }: Origin,
): Promise<void> {
  const protocols = join(folder, 'protocols')
  put(join(protocols, 'made-1.json'), readFileSync(join(world.paths.protocol, 'made-1.json')))
  put(join(protocols, 'ledger.jsonl'), ledgerText(ledger.entries.map(entryText)))
  for (const [name, { anchorPem }] of by.byName) {
    put(join(protocols, 'anchors', `${name}.pem`), anchorPem)
  }
  for (const { seq, genTime } of ledger.stamps) {
    const entry = ledger.entries[seq - 1]!
    by.now = genTime as Instant
    const query = encodeQuery(stampedBytes(entry), Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8))
    put(tokenFile(protocols, entry, 'tsa'), await by.byName.get('tsa')!.reply(query))
  }
  for (const [digest, entries] of ledger.readings) {
    put(accessPath(protocols, digest), accessText(entries))
  }
  for (const entry of ledger.entries) {
    if (!('mode' in entry)) continue
    const registration = ledger.registrations.get(entry.registration_sha256)
    if (registration === undefined) continue
    put(join(protocols, entry.file), `${JSON.stringify(registration, null, 2)}\n`)
  }
  for (const [digest, result] of ledger.documents) {
    if (!ledger.results.has(digest)) continue
    put(join(folder, 'evidence', digest.slice(0, 8), 'result.json'), `${canonicalize(result)}\n`)
  }
}

/** Builds the record of a keeper's folder. */
export const build = (folder: string, ...more: string[]) =>
  inProcess([
    ...['record', '--protocols', join(folder, 'protocols'), '--out', join(folder, 'record')],
    ...['--registrations', join(folder, 'registrations', '*')],
    ...['--evidence', join(folder, 'evidence', '*'), '--now', day(60), ...more],
  ])

export const recordIn = (folder: string): ForeproofRecord =>
  JSON.parse(readFileSync(join(folder, 'record.json'), 'utf8'))
