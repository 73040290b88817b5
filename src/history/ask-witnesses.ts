import { ForeproofError } from '../contract/error.js'
import { type Finding, finding, type Severity } from '../contract/findings/finding.js'
import { sha256Hex } from '../document/digest.js'
import { ADD_CHECKPOINT, formatAddCheckpoint, SIZE_TYPE } from '../log/add-checkpoint.js'
import { appendSignatures, mergeNotes, verifyCosignatures } from '../log/cosignature.js'
import { consistencyProof } from '../log/merkle.js'
import { parseNote } from '../log/note.js'
import { type Policy, type PolicyWitness, quorumTime, witnessedAt } from '../log/policy.js'
import { parseWebAddress } from '../remote/address.js'
import { type Client, createClient } from '../remote/client.js'
import type { LogFile } from '../store/history-writer.js'

/** A witness answers at once or not at all. */
const TIMEOUT_MS = 10_000
const MAX_ANSWER_BYTES = 131_072

export interface WitnessOptions {
  readonly policy: Policy
  /** Until a whole answer is there, in milliseconds; 10 s if absent. */
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** In seconds since 1970; the clock of this machine if absent. */
  readonly now?: (() => number) | undefined
}

/** The result of asking all witnesses of a policy. */
export interface Witnessed {
  /** The checkpoint with all cosignatures that hold. */
  readonly note: string
  /** Names of the witnesses that cosigned it now. */
  readonly cosigned: readonly string[]
  /** False if witnesses know a longer log and there is no quorum; then nothing must be sealed. */
  readonly mayBeSealed: boolean
  readonly findings: readonly Finding[]
}

/** A request to a witness and its answer. */
interface Asked {
  readonly witness: PolicyWitness
  /** Size of the checkpoint that it cosigned last, as far as we know. */
  readonly knownSize: number
  readonly answer: Answer
}

type Answer =
  | { readonly is: 'cosigned'; readonly line: string }
  | { readonly is: 'at'; readonly size: number }
  | { readonly is: 'silent'; readonly why: string }
  | { readonly is: 'refused'; readonly why: string }

/** The checkpoint to be cosigned, and how to ask. */
interface WitnessRequest {
  readonly file: LogFile
  readonly note: string
  readonly size: number
  readonly policy: Policy
  readonly client: Client
  readonly now: () => number
}

/**
 * Asks all witnesses of a policy in parallel to cosign a checkpoint. A witness whose last size differs from ours is
 * asked a second time.
 * @param note - the checkpoint of the first `size` entries, signed by the log.
 * @throws {ForeproofError} `interrupted`.
 */
export async function askWitnesses(
  file: LogFile,
  note: string,
  size: number,
  { policy, timeoutMs = TIMEOUT_MS, signal, now = seconds }: WitnessOptions,
): Promise<Witnessed> {
  const client = createClient({ timeoutMs, largestBody: MAX_ANSWER_BYTES, signal })
  const asking: WitnessRequest = { file, note, size, policy, client, now }
  const sizes = new Map<PolicyWitness, number>()
  for (const witness of policy.witnesses) {
    sizes.set(witness, Math.min(size, Number((await file.noted(noteKey(witness))) ?? 0)))
  }
  const first = await askAll(asking, sizes)
  const others = first.flatMap(({ witness, answer }) =>
    answer.is === 'at' && answer.size <= size && answer.size >= sizes.get(witness)!
      ? [[witness, answer.size] as const]
      : [],
  )
  const second = await askAll(asking, new Map(others))
  const asked = first.map((one) => ({
    ...(second.find(({ witness }) => witness === one.witness) ?? one),
    known: one.knownSize,
  }))
  return toWitnessed(asking, asked)
}

/** Stores the last size of each witness, within the current transaction. */
export async function noteWitnessed(
  file: LogFile,
  policy: Policy,
  cosigned: readonly string[],
  size: number,
): Promise<void> {
  for (const witness of policy.witnesses) {
    if (cosigned.includes(witness.name)) await file.note(noteKey(witness), String(size))
  }
}

const noteKey = ({ key }: PolicyWitness): string => `witnessed:${sha256Hex(key.text)}`

const seconds = (): number => Math.floor(Date.now() / 1000)

/** @param sizes - which size each witness has cosigned last. */
async function askAll(
  { file, note, size, ...asking }: WitnessRequest,
  sizes: ReadonlyMap<PolicyWitness, number>,
): Promise<Asked[]> {
  const bodies = new Map<number, Buffer>()
  for (const old of new Set(sizes.values())) {
    const proof = await consistencyProof(old, size, (level, at) => file.logHash(level, at))
    bodies.set(old, Buffer.from(formatAddCheckpoint({ old, proof, note })))
  }
  return await Promise.all(
    Array.from(sizes, async ([witness, old]) => {
      const answer = await askWitness(witness, bodies.get(old)!, note, asking)
      return { witness, knownSize: old, answer }
    }),
  )
}

async function askWitness(
  { key, url }: PolicyWitness,
  body: Uint8Array,
  note: string,
  { client, now, policy }: Pick<WitnessRequest, 'client' | 'now' | 'policy'>,
): Promise<Answer> {
  if (url === undefined) return { is: 'silent', why: 'the policy has no address of it' }
  if (parseWebAddress(url) === undefined)
    return { is: 'refused', why: 'its address is none of the web' }
  try {
    const options = { method: 'POST', body, once: true, stay: true }
    const { status, headers, bytes } = await client.ask(url + ADD_CHECKPOINT, options)
    const text = Buffer.from(bytes).toString('utf8')
    if (status === 409) return parseKnownSize(headers.get('content-type'), text)
    if (status !== 200)
      return { is: isNoAnswer(status) ? 'silent' : 'refused', why: describeStatus(status) }
    const answered = parseNote(appendSignatures(parseNote(note)!.body, [text]))
    if (answered === undefined)
      return { is: 'refused', why: 'its answer is no line of a signature' }
    if (policy.witnesses.some((one) => verifyCosignatures(answered, one.key, now()).unsound)) {
      return { is: 'refused', why: 'its answer has a cosignature that does not hold' }
    }
    const line = verifyCosignatures(answered, key, now()).sound.at(-1)?.line
    return line === undefined
      ? { is: 'refused', why: 'its answer has no cosignature of the key in the policy' }
      : { is: 'cosigned', line }
  } catch (cause) {
    if (!(cause instanceof ForeproofError) || cause.code === 'interrupted') throw cause
    return { is: 'silent', why: cause.message }
  }
}

/** Redirections are not followed, because the policy did not choose their target. */
const isNoAnswer = (status: number): boolean =>
  status === 429 || status >= 500 || (status >= 300 && status < 400)

function describeStatus(status: number): string {
  const why = REASONS.get(status)
  return why === undefined ? `status ${status}` : `${why} (status ${status})`
}

const REASONS: ReadonlyMap<number, string> = new Map([
  [400, 'it calls the request malformed'],
  [403, 'it does not trust the key of this log'],
  [404, 'it does not know this log'],
  [422, 'what it has seen is not the beginning of this log'],
  [429, 'it was asked too often'],
])

function parseKnownSize(type: string | null, text: string): Answer {
  const [, size] = /^(0|[1-9]\d{0,15})\n$/.exec(text) ?? []
  if (size !== undefined && type?.split(';')[0]?.trim() === SIZE_TYPE) {
    return { is: 'at', size: Number(size) }
  }
  return { is: 'refused', why: 'it names no size of what it has seen (status 409)' }
}

function toWitnessed(
  { note, size, policy, now }: WitnessRequest,
  asked: readonly Asked[],
): Witnessed {
  const lines = asked.flatMap(({ answer }) => (answer.is === 'cosigned' ? [answer.line] : []))
  const signed = appendSignatures(parseNote(note)!.body, lines)
  const merged = mergeNotes(note, signed)
  const isBehind = asked.some(({ answer }) => answer.is === 'at' && answer.size > size)
  // A cosignature from before the witness saw a longer log does not count.
  const heard = parseNote(isBehind ? signed : merged)
  const isMet = heard !== undefined && Number.isFinite(witnessedAt(policy, heard, now()))
  const answers = new Map(asked.map(({ witness, answer }) => [witness, answer.is]))
  const mayCome = quorumTime(policy, (witness) =>
    ['cosigned', 'silent'].includes(answers.get(witness)!) ? 0 : Number.POSITIVE_INFINITY,
  )
  const severity = isMet || Number.isFinite(mayCome) ? 'warning' : 'error'
  const findings = asked.flatMap((one) => toFinding(one, size, severity))
  const missing = asked.flatMap(({ witness, answer }) =>
    answer.is === 'cosigned' ? [] : [witness.name],
  )
  if (!isMet) findings.push(finding('witness-quorum-missing', { size, missing }, { severity }))
  return {
    note: merged,
    cosigned: asked.filter(({ answer }) => answer.is === 'cosigned').map((one) => one.witness.name),
    mayBeSealed: isMet || !isBehind,
    findings,
  }
}

function toFinding(
  { witness: { name: witness }, knownSize, answer }: Asked,
  here: number,
  severity: Severity,
): Finding[] {
  if (answer.is === 'cosigned') return []
  if (answer.is === 'silent') return [finding('witness-silent', { witness, why: answer.why })]
  if (answer.is === 'refused') {
    return [finding('witness-refused', { witness, why: answer.why }, { severity })]
  }
  const { size } = answer
  if (size > here) return [finding('log-behind-witness', { witness, size, here }, { severity })]
  if (size < knownSize) {
    return [finding('witness-rolled-back', { witness, size, before: knownSize }, { severity })]
  }
  const why = `it names ${size} as the size of what it has seen, and is not content with it`
  return [finding('witness-refused', { witness, why }, { severity })]
}
