import { ForeproofError } from '../contract/error.js'
import { formatUtc, type Instant } from '../contract/instant.js'
import { appendToLedger, ledgerPath } from '../protocol/ledger-file.js'
import {
  accessPath,
  type ChangedInput,
  changedInputs,
  type ReadInputs,
  readAccessFile,
} from '../protocol/readings.js'
import type { CorrectedEntry } from '../protocol/rules/entry.js'
import {
  findResultEntry,
  type Ledger,
  nextEntryAt,
  registrationEnds,
} from '../protocol/rules/ledger.js'
import { assertReason } from './close-registration.js'
import { resolveInputPaths } from './evidence/input-paths.js'
import { readResult, requireEvidence } from './evidence/open.js'
import { type Broken, catchBroken } from './links.js'
import { protocolFolder } from './load.js'

export interface CorrectOptions {
  /** The evidence folder of the later result. */
  readonly folder: string
  /** Digest of the first result. */
  readonly replaces: string
  readonly reason: string
  /** The folder of frozen protocols; by default where `score` found it. */
  readonly protocol?: string | undefined
  readonly now: Instant
}

export type CorrectionResult =
  | Broken
  | {
      readonly ok: true
      readonly entry: CorrectedEntry
      /** The inputs that are not those of the first result, according to the record of readings. */
      readonly changed: readonly ChangedInput[]
    }

/**
 * Enters in the ledger that a later result replaces the first one of its registration. The first one stays, and every
 * count goes by it.
 * @throws {ForeproofError} `usage` for a reason that cannot be shown; `refused` if the ledger does not have both
 * results, the first one is not named, or both have the same inputs; `not-found` if the folder is not evidence.
 */
export async function correctResult(options: CorrectOptions): Promise<CorrectionResult> {
  const { folder, replaces, reason } = options
  assertReason(reason, 'Say in one line what was wrong.')
  requireEvidence(folder)
  return await catchBroken(async () => {
    const { result_sha256, inputs } = await readResult(folder)
    const of = { registration_sha256: inputs.registration.sha256, result_sha256 }
    const protocols = protocolFolder(
      resolveInputPaths(
        folder,
        options.protocol === undefined ? {} : { protocol: options.protocol },
      ).paths.protocol,
    )
    let changed: readonly ChangedInput[] = []
    const entry = appendToLedger(ledgerPath(protocols), (ledger) => {
      const first = firstResult(ledger, of, options)
      changed = changesIn(protocols, first, result_sha256, folder)
      const { registration_sha256, protocol_version, protocol_sha256 } = first
      const fields = { registration_sha256, protocol_version, protocol_sha256 }
      const corrected_at = formatUtc(nextEntryAt(ledger, options.now))
      return { append: { ...fields, replaces, result_sha256, reason, corrected_at } }
    })
    return { ok: true, entry: entry as CorrectedEntry, changed }
  })
}

type Named = Pick<CorrectedEntry, 'registration_sha256' | 'result_sha256'>

/** The entry of the first result, which is the named one, if a ledger has both. */
function firstResult(ledger: Ledger, of: Named, { folder, replaces }: CorrectOptions) {
  const { result: first } = registrationEnds(ledger).get(of.registration_sha256) ?? {}
  if (findResultEntry(ledger, of) === undefined || first === undefined) {
    throw refused(
      folder,
      'its result is not in the ledger',
      'Commit the ledger where it was scored, or run here: foreproof ledger rebase --evidence FOLDER',
    )
  }
  if (first.result_sha256 === of.result_sha256) {
    throw refused(
      folder,
      'is the first result of its registration',
      'Name the folder of the later result.',
    )
  }
  if (first.result_sha256 !== replaces) {
    throw refused(
      folder,
      `${replaces} is not the first result of its registration`,
      `The first is ${first.result_sha256}, of entry ${first.seq}: --replaces ${first.result_sha256}`,
    )
  }
  return first
}

/** What the record of readings says that differs between two results. */
function changesIn(
  protocols: string,
  { registration_sha256, result_sha256: first }: Named,
  later: string,
  folder: string,
): readonly ChangedInput[] {
  const { entries } = readAccessFile(
    accessPath(protocols, registration_sha256),
    registration_sha256,
  )
  const findInputs = (digest: string): ReadInputs | undefined =>
    entries.find(({ result_sha256 }) => result_sha256 === digest)
  const [a, b] = [findInputs(first), findInputs(later)]
  if (a === undefined || b === undefined) {
    throw refused(
      folder,
      'the record of readings beside the ledger does not have both results',
      'Restore access/ from version control.',
    )
  }
  const changed = changedInputs(a, b)
  if (changed.length > 0) return changed
  throw refused(
    folder,
    'forecasts, outcomes and code are those of the first result',
    'There is nothing to correct.',
  )
}

const refused = (folder: string, why: string, help: string) =>
  new ForeproofError('refused', `${folder}: ${why}`, { file: folder, help })
