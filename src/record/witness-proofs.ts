import { MICROS_PER_SECOND } from '../contract/instant.js'
import { canonicalize } from '../document/canonical.js'
import { evidenceLog } from '../evaluation/evidence/time-files.js'
import { type LogProof, verifyProof } from '../log/check-proof.js'
import { parseCheckpoint } from '../log/checkpoint.js'
import type { StoredCheckpoint } from '../log/log-entry.js'
import { inclusionProof, subtreeRoot } from '../log/merkle.js'
import { type Policy, witnessedAt } from '../log/policy.js'
import { compilePolicy } from '../log/policy-rule.js'
import { registrationLeaf } from '../log/registrations.js'
import { entryDigests, type RegisteredEntry } from '../protocol/rules/entry.js'
import type { RecordedRegistration, WitnessedEntry } from './inputs.js'

/** A cosignature was checked against a clock when it was stored. */
const ANY_TIME = Number.MAX_SAFE_INTEGER

/** The policy of a registration whose forecasts have to be witnessed; undefined for all others. */
export function witnessPolicy({ commitment, time }: RecordedRegistration): Policy | undefined {
  return commitment === 'witnessed' && time?.witnesses ? compilePolicy(time.witnesses) : undefined
}

/**
 * A proof that the log of an evidence folder has a registration, under the first checkpoint that the quorum of its
 * witnesses cosigned. It needs no other file. Undefined if there is none.
 */
export async function createRegistrationProof(
  folder: string,
  entry: RegisteredEntry,
  registration: RecordedRegistration,
): Promise<LogProof | undefined> {
  const policy = witnessPolicy(registration)
  if (policy === undefined) return undefined
  const log = evidenceLog(folder, '')
  const leaves: Uint8Array[] = []
  for await (const entries of log.entries(Number.MAX_SAFE_INTEGER)) {
    for (const { leaf } of entries) leaves.push(leaf)
  }
  const logged = entryDigests(entry)
    .map((digest) => ({ digest, leaf: Buffer.from(registrationLeaf(digest)) }))
    .map(({ digest, leaf }) => ({ digest, index: leaves.findIndex((each) => leaf.equals(each)) }))
    .find(({ index }) => index >= 0)
  const checkpoint = logged && (await firstWitnessed(log.checkpoints(), logged.index, policy))
  if (logged === undefined || checkpoint === undefined) return undefined
  const { size, note } = checkpoint
  const hashAt = (level: number, index: number) => {
    const width = 2 ** level
    return subtreeRoot(Buffer.concat(leaves.slice(index * width, (index + 1) * width)))
  }
  const path = await inclusionProof(logged.index, size, hashAt)
  return {
    proof_version: 1,
    index: logged.index,
    entry: entryText(logged.digest),
    path: path.map((hash) => Buffer.from(hash).toString('hex')),
    checkpoint: note,
    stamps: [],
    anchors: [],
  }
}

/** The text whose hash is the leaf of a registration. */
const entryText = (digest: string): string => canonicalize({ entry_sha256: digest })

async function firstWitnessed(
  checkpoints: AsyncIterable<StoredCheckpoint>,
  index: number,
  policy: Policy,
): Promise<StoredCheckpoint | undefined> {
  for await (const checkpoint of checkpoints) {
    if (checkpoint.size <= index) continue
    const note = parseCheckpoint(checkpoint.note)
    if (note && Number.isFinite(witnessedAt(policy, note, ANY_TIME))) return checkpoint
  }
  return undefined
}

/**
 * When witnesses had cosigned a log with a registration, by a proof of it.
 * @param policy - of a reader, in place of the one that the registration names.
 * @returns undefined if the proof shows nothing of this entry.
 */
export async function checkRegistrationProof(
  bytes: Uint8Array,
  file: string,
  entry: RegisteredEntry,
  policy: Policy | undefined,
): Promise<WitnessedEntry | undefined> {
  if (policy === undefined) return undefined
  const proved = await verifyProof(bytes, { file, policy, now: ANY_TIME })
  const isOwn = entryDigests(entry).some((digest) => entryText(digest) === proved.entry)
  if (!isOwn || proved.witnessedAt === null || proved.log === undefined) return undefined
  return { log: proved.log, time: proved.witnessedAt * MICROS_PER_SECOND }
}
