import type { KeyObject } from 'node:crypto'
import { existsSync } from 'node:fs'
import { ForeproofError } from '../contract/error.js'
import type { Finding } from '../contract/findings/finding.js'
import { sha256Hex } from '../document/digest.js'
import { formatCheckpoint, parseCheckpoint } from '../log/checkpoint.js'
import { mergeNotes } from '../log/cosignature.js'
import type { CheckpointStamp, StoredCheckpoint } from '../log/log-entry.js'
import { computeRoot, sameHash } from '../log/merkle.js'
import { parseNote, signNote } from '../log/note.js'
import { addRegistrations, registrationLeaf } from '../log/registrations.js'
import { isKeyName, toVerifierKey } from '../log/verifier-key.js'
import type { LogFile, LogWriter } from '../store/history-writer.js'
import { openHistoryWriter, openLogWriter } from '../store/open.js'
import { historyFiles } from '../store/shown.js'
import type { LogState } from '../store/stored-log.js'
import { stampFailed } from '../time/stamp-entry.js'
import {
  askWitnesses,
  noteWitnessed,
  type Witnessed,
  type WitnessOptions,
} from './ask-witnesses.js'
import { createLeafReader } from './leaf.js'

export interface SealOptions {
  /** Name of the log; required for the first seal, and fixed afterwards. */
  readonly log?: string | undefined
  /** Private key of Ed25519 that signs the checkpoint under the name of the log. */
  readonly key?: KeyObject | undefined
  /** Addresses of authorities that are asked for a stamp. */
  readonly authorities?: readonly string[] | undefined
  /** Asks an authority for a stamp. @param body - of the checkpoint, which is stamped. */
  readonly stamp?: ((url: string, body: Uint8Array) => Promise<CheckpointStamp>) | undefined
  /** Digests of entries of a ledger, in hex: each becomes an entry of the log too. */
  readonly registrations?: readonly string[] | undefined
  /** Witnesses that are asked to cosign the checkpoint; `key` has to be there too. */
  readonly witnesses?: WitnessOptions | undefined
}

export interface SealResult {
  readonly log: string
  /** Entries of the log. */
  readonly size: number
  /** Entries appended for rows that had none. */
  readonly appended: number
  /** Rows without an entry, because they are not valid forecasts. */
  readonly left: number
  /** Entries since the last checkpoint; 0 if nothing was new and no checkpoint was written. */
  readonly sealed: number
  /** Size of the newest checkpoint; undefined for a log without entries. */
  readonly checkpoint: number | undefined
  /** Authorities whose stamps the newest checkpoint has. */
  readonly stamps: readonly string[]
  /** One `stamp-failed` for each address that gave no stamp, in their order. */
  readonly failures: readonly Finding[]
  /**
   * Names of the witnesses that cosigned the newest checkpoint now; undefined if none was asked.
   */
  readonly witnesses: readonly string[] | undefined
  /** Findings about them. */
  readonly witnessFindings: readonly Finding[]
}

/**
 * Seals a history: appends missing rows to its log, writes a checkpoint if anything is new, and has the newest
 * checkpoint cosigned and stamped. The checkpoint stays even if stamps or witnesses fail. But if the required
 * witnesses know a longer log, nothing is sealed.
 * @throws {ForeproofError} `usage` for an invalid name, a first seal without a name, or witnesses of another log;
 * `refused` if the log has another name; as `openLogWriter` if the history cannot be written.
 */
export async function sealHistory(path: string, options: SealOptions = {}): Promise<SealResult> {
  const file = await openForSealing(path, options)
  try {
    await file.begin()
    const log = await resolveLogName(file, options.log)
    assertWitnesses(log, options)
    const { appended, left } = await file.appendMissing(createLeafReader())
    for (const digest of await addRegistrations(file, options.registrations ?? [])) {
      await file.appendLeaf({ leaf: registrationLeaf(digest), key: undefined })
    }
    const size = await file.logSize()
    const before = await readSealedSize(file)
    const sealed = await file.newestCheckpoint()
    const note = size > before ? await checkpointNote(file, log, size, options.key) : sealed?.note
    const witnessed = await gatherCosignatures(file, note, size, options)
    const isSealed = note !== undefined && (!witnessed || witnessed.mayBeSealed)
    if (isSealed) await keepCheckpoint(file, size, witnessed?.note ?? note)
    if (isSealed && witnessed && options.witnesses) {
      await noteWitnessed(file, options.witnesses.policy, witnessed.cosigned, size)
    }
    await file.commit()
    const newest = await file.newestCheckpoint()
    const stamped = newest && isSealed ? await stampCheckpoint(file, newest, options) : NO_STAMPS
    return {
      log,
      size,
      appended,
      left,
      sealed: isSealed ? size - before : 0,
      checkpoint: newest?.size,
      ...stamped,
      witnesses: options.witnesses && (witnessed ? witnessed.cosigned : []),
      witnessFindings: witnessed ? witnessed.findings : [],
    }
  } finally {
    await file.close()
  }
}

/** A registration may be sealed before there is any forecast; then this creates the history. */
async function openForSealing(path: string, { registrations = [] }: SealOptions): Promise<LogFile> {
  const [file] = historyFiles(path)
  const isNew = registrations.length > 0 && file !== undefined && !existsSync(file)
  return isNew ? await openHistoryWriter(path, 0) : await openLogWriter(path)
}

/**
 * @throws {ForeproofError} `usage` if the checkpoint would be unsigned, or signed by another log than the policy's.
 */
function assertWitnesses(log: string, { witnesses, key }: SealOptions): void {
  if (witnesses === undefined) return
  if (key === undefined) {
    throw new ForeproofError('usage', '--witnesses needs --key', {
      help: 'Witnesses know a log by its key: give the private key that signs its checkpoints.',
    })
  }
  const verifierKey = toVerifierKey(log, key).text
  const { logs } = witnesses.policy
  if (logs.length === 0 || logs.some(({ text }) => text === verifierKey)) return
  throw new ForeproofError('usage', `the policy is of another log: ${logs[0]!.text}`, {
    help: `This one, with this key, is: log ${verifierKey}`,
  })
}

/**
 * Has witnesses cosign a checkpoint. Entries are committed first, because a witness will require them forever. A new
 * transaction begins afterwards, because witnesses may take a while.
 */
async function gatherCosignatures(
  file: LogFile,
  note: string | undefined,
  size: number,
  { witnesses, key }: SealOptions,
): Promise<Witnessed | undefined> {
  if (note === undefined || witnesses === undefined || key === undefined) return undefined
  const { origin, body } = parseCheckpoint(note)!
  await file.commit()
  const signed = mergeNotes(note, signNote(body, origin, key))
  const witnessed = await askWitnesses(file, signed, size, witnesses)
  await file.begin()
  return witnessed
}

/** Stores a checkpoint, or its new signatures. @returns whether the checkpoint is new. */
export async function keepCheckpoint(
  logs: LogWriter,
  size: number,
  note: string,
): Promise<boolean> {
  const isNew = await logs.addCheckpoint(size, note)
  if (!isNew) await logs.addSignatures(size, note)
  return isNew
}

/**
 * The name of the log of a history. A log without a name gets the given one.
 * @throws {ForeproofError} `usage` for an invalid or missing name; `refused` if the log has another name.
 */
export async function resolveLogName(file: LogFile, given: string | undefined): Promise<string> {
  const name = await file.logName()
  if (name !== undefined && (given === undefined || given === name)) return name
  if (name !== undefined) {
    throw new ForeproofError('refused', `${file.path}: the log is called ${name}, not ${given}`, {
      file: file.path,
      help: 'The name of a log is fixed by its first seal, for it is in every checkpoint.',
    })
  }
  if (given === undefined) {
    throw new ForeproofError('usage', `${file.path}: the log has no name yet`, {
      help: 'Give it one with --log, such as example.org/forecasts; it cannot be changed later.',
    })
  }
  if (!isKeyName(given)) {
    throw new ForeproofError('usage', `--log ${given}: no name for a log`, {
      help: 'A name has neither white space nor +, such as example.org/forecasts.',
    })
  }
  await file.nameLog(given)
  return given
}

/** Size of the newest checkpoint, after checking that the entries still have its root. */
async function readSealedSize(file: LogFile): Promise<number> {
  const newest = await file.newestCheckpoint()
  if (newest === undefined) return 0
  const { size, note } = newest
  const sealed = parseCheckpoint(note)?.root
  const root = size <= (await file.logSize()) ? await rootAt(file, size) : undefined
  if (sealed !== undefined && root !== undefined && sameHash(sealed, root)) return size
  throw new ForeproofError('invalid-input', `${file.path}: the log is not what was sealed`, {
    file: file.path,
    help: 'Nothing was written. `foreproof history verify` names the first entry that is another now.',
  })
}

/** The root over the first entries of a log. */
export const rootAt = (log: LogState, size: number): Promise<Uint8Array> =>
  computeRoot(size, (level, index) => log.logHash(level, index))

/** The checkpoint of the first `size` entries. */
export async function checkpointNote(
  logs: LogState,
  origin: string,
  size: number,
  key?: KeyObject,
): Promise<string> {
  const body = formatCheckpoint({ origin, size, root: await rootAt(logs, size) })
  return key === undefined ? body : signNote(body, origin, key)
}

const NO_STAMPS = { stamps: [], failures: [] } as const

/**
 * Asks each authority that has not stamped the checkpoint. Each stamp is stored before the next request.
 */
async function stampCheckpoint(
  file: LogFile,
  { size, note, stamps: before }: StoredCheckpoint,
  { authorities = [], stamp }: SealOptions,
): Promise<Pick<SealResult, 'stamps' | 'failures'>> {
  const stamps = new Set(before.map(({ authority }) => authority))
  const failures: Finding[] = []
  const body = Buffer.from(parseNote(note)?.body ?? note)
  for (const url of stamp === undefined ? [] : authorities) {
    const noteKey = noteName(size, url)
    if (stamps.has((await file.noted(noteKey)) ?? '')) continue
    const answer = await stamp?.(url, body).catch((cause: unknown) => {
      failures.push(stampFailed(cause))
    })
    if (!answer) continue
    await file.begin()
    await file.addCheckpointStamp(size, answer)
    await file.note(noteKey, answer.authority)
    await file.commit()
    stamps.add(answer.authority)
  }
  return { stamps: [...stamps].sort(), failures }
}

/** The note with the authority behind an address; hashed, because an address may contain a key. */
const noteName = (size: number, url: string): string => `stamped:${size}:${sha256Hex(url)}`
