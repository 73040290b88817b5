import type { KeyObject } from 'node:crypto'
import { ForeproofError } from '../contract/error.js'
import { sha256Hex } from '../document/digest.js'
import { parseAddCheckpoint, SIZE_TYPE } from '../log/add-checkpoint.js'
import { parseCheckpoint, type SignedCheckpoint } from '../log/checkpoint.js'
import { appendSignatures, cosign, mergeNotes, verifyCosignatures } from '../log/cosignature.js'
import { emptyRoot, sameHash, verifyConsistency } from '../log/merkle.js'
import { isSignedBy, signatureLine } from '../log/note.js'
import { KEY_TYPE, parseVerifierKey, toVerifierKey, type VerifierKey } from '../log/verifier-key.js'
import type { CosignedCheckpoint, WitnessState } from './state.js'

/** The answer of a witness over HTTP. */
export interface WitnessAnswer {
  readonly status: number
  readonly body: string
  readonly type: string
}

export interface WitnessParts {
  readonly name: string
  /** Private Ed25519 key. */
  readonly key: KeyObject
  readonly logs: readonly KnownLog[]
  readonly state: WitnessState
  /** In seconds since 1970. */
  readonly now: () => number
  /** Called with messages that the operator must see. */
  readonly alarm: (message: string) => void
}

const DAY_SECONDS = 86_400
const TEXT = 'text/plain; charset=utf-8'

export const createAnswer = (status: number, body = '', type = TEXT): WitnessAnswer => ({
  status,
  body,
  type,
})
export const createRefusal = (status: number, why: string): WitnessAnswer =>
  createAnswer(status, `${why}\n`)

/** Cosigns checkpoints of the logs that it knows, after checking that each extends the last one (C2SP tlog-witness). */
export class Witness {
  readonly verifier: VerifierKey
  readonly #logs: ReadonlyMap<string, KnownLog>
  /** Times of the requests in the last 24 hours, by origin and by whether they had new entries. */
  readonly #asked = new Map<string, number[]>()

  constructor(private readonly parts: WitnessParts) {
    this.verifier = toVerifierKey(parts.name, parts.key, KEY_TYPE.cosignature)
    this.#logs = new Map(parts.logs.map((log) => [log.origin, log]))
  }

  /** Answers a request for a cosignature. A cosignature is stored durably before it is answered with 200. */
  addCheckpoint(text: string): WitnessAnswer {
    const checkpoint = parseCheckpoint(text.slice(text.indexOf('\n\n') + 2))
    if (checkpoint === undefined) return createRefusal(400, 'there is no checkpoint')
    const { origin } = checkpoint
    const log = this.#logs.get(origin)
    if (log === undefined) return createRefusal(404, 'this log is not known here')
    if (!isSignedBy(checkpoint, origin, log.key.key)) {
      return createRefusal(403, 'the checkpoint is not signed by the key of this log')
    }
    const request = parseAddCheckpoint(text)
    if (request === undefined)
      return createRefusal(400, 'the lines before the checkpoint are malformed')
    const { old, proof } = request
    if (old > checkpoint.size) return createRefusal(400, 'old is larger than the checkpoint')
    return this.parts.state.transaction(
      () => this.#guarded(checkpoint) ?? this.#goneOn(log, checkpoint, old, proof),
    )
  }

  /** The newest cosigned checkpoint of the log whose name has this SHA-256 in hex; undefined if there is none. */
  newest(digest: string): string | undefined {
    const origin = [...this.#logs.keys()].find((each) => sha256Hex(each) === digest)
    const newest = origin === undefined ? undefined : this.parts.state.newest(origin)
    const body = newest && parseCheckpoint(newest.note)?.body
    return newest && body && mergeNotes(newest.note, appendSignatures(body, [newest.line]))
  }

  /** The answer if nothing may be cosigned now. */
  #guarded(checkpoint: SignedCheckpoint): WitnessAnswer | undefined {
    const { state, now, alarm } = this.parts
    const { origin, size, root, body, signatures } = checkpoint
    const ours = verifyCosignatures(checkpoint, this.verifier, Number.MAX_SAFE_INTEGER).sound
    if (ours.length > 0 && !state.hasCosigned(origin, size, root) && !state.isLocked(origin)) {
      const lines = signatures.map((one) => signatureLine(one.name, one.keyId, one.signature))
      state.lock(origin, appendSignatures(body, lines))
      alarm(`${origin}: a cosignature of ours at size ${size} is not in the state; it was set back`)
    }
    if (state.isLocked(origin)) return createRefusal(403, 'the state of this witness was set back')
    if (now() >= state.lastTime()) return undefined
    alarm('the clock is behind the last cosignature: set it, or see witness --clock-was-ahead')
    return createRefusal(503, 'the clock of this witness is behind its last cosignature')
  }

  #goneOn(
    log: KnownLog,
    { origin, size, root, body, signatures }: SignedCheckpoint,
    old: number,
    proof: readonly Uint8Array[],
  ): WitnessAnswer {
    const { state, name, now, key: signingKey } = this.parts
    const newest = state.newest(origin)
    const before = newest ?? { size: 0, root: emptyRoot() }
    const goesOn =
      old === before.size &&
      (size > 0 || sameHash(root, emptyRoot())) &&
      verifyConsistency(old, size, proof, before.root, root)
    // Anyone may resend a checkpoint that the log has published. The stored answer is sent, and the request does not
    // count.
    if (newest !== undefined && goesOn && isYoung(newest, body, now())) {
      return createAnswer(200, newest.line)
    }
    if (!this.#mayAsk(log, goesOn && size > before.size)) {
      return createRefusal(429, 'this log has asked often enough for a day')
    }
    if (old !== before.size) return createAnswer(409, `${before.size}\n`, SIZE_TYPE)
    if (!goesOn) {
      return createRefusal(422, 'the checkpoint does not go on from the one that was cosigned last')
    }
    const time = now()
    const { line } = cosign(body, name, signingKey, time)
    const signed = signatures.filter(
      (one) => one.name === log.key.name && log.key.id.equals(one.keyId),
    )
    const lines = signed.map((one) => signatureLine(one.name, one.keyId, one.signature))
    state.add(origin, { size, root, note: appendSignatures(body, lines), line, time })
    return createAnswer(200, line)
  }

  /**
   * Anyone may resend what a log has published. Requests with new entries are counted separately, so that others cannot
   * use up the log's limit.
   */
  #mayAsk({ origin, perDay }: KnownLog, grows: boolean): boolean {
    const now = this.parts.now()
    const kind = `${grows} ${origin}`
    const recent = (this.#asked.get(kind) ?? []).filter((at) => now - at < DAY_SECONDS)
    this.#asked.set(kind, recent)
    return recent.length < perDay && recent.push(now) > 0
  }
}

const YOUNG_SECONDS = 300

/** Whether a cosignature is of exactly this checkpoint, and almost as recent as a new one would be. */
function isYoung({ note, time }: CosignedCheckpoint, body: string, now: number): boolean {
  return time <= now && now - time < YOUNG_SECONDS && parseCheckpoint(note)?.body === body
}

/** A log that a witness cosigns. */
export interface KnownLog {
  readonly origin: string
  readonly key: VerifierKey
  /** Maximum number of requests in 24 hours. */
  readonly perDay: number
}

export const LARGEST_LOG_LIST = 1_048_576
/** Every five minutes. */
const USUAL_PER_DAY = 288
const HEADER = 'logs/v0'

/**
 * Parses a list of logs in the format of the witness network: `logs/v0`, then for each log its `vkey`, and optionally
 * `origin`, `qpd` and `contact`.
 * @throws {ForeproofError} `invalid-input` that names the line.
 */
export function parseKnownLogs(text: string, file: string): KnownLog[] {
  const logs: KnownLog[] = []
  let isBegun = false
  for (const [at, raw] of text.split('\n').entries()) {
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) continue
    const fault = isBegun ? parseLine(line, logs) : line === HEADER ? undefined : `is not ${HEADER}`
    if (fault !== undefined) throw malformedList(`${file}:${at + 1}: ${fault}`, file)
    isBegun = true
  }
  const twice = logs.find(({ origin }, at) => logs.findIndex((one) => one.origin === origin) < at)
  if (twice !== undefined) throw malformedList(`${file}: names the log ${twice.origin} twice`, file)
  if (logs.length === 0) throw malformedList(`${file}: names no log`, file)
  return logs
}

/** Parses one line. @returns what is wrong with it. */
function parseLine(line: string, logs: KnownLog[]): string | undefined {
  const [, word = '', value = ''] = /^(\S+)\s+(.+)$/.exec(line) ?? []
  if (word === 'vkey') {
    const key = parseVerifierKey(value, KEY_TYPE.note)
    if (key === undefined) return 'has no key of a log: name+id+key, of Ed25519 and type 1'
    logs.push({ origin: key.name, key, perDay: USUAL_PER_DAY })
    return undefined
  }
  const last = logs.pop()
  if (last === undefined) return 'comes before the first vkey'
  const isOrigin = word === 'origin' || word === 'bastion'
  if (word === 'qpd' && !/^[1-9]\d{0,6}$/.test(value)) return 'has no number of requests a day'
  if (isOrigin && value !== 'none' && !(word === 'origin' && value === last.origin)) {
    return `is not ${word} none: a log has the name of its key, and is the one that asks`
  }
  // `contact` is only for people.
  const isKnown = isOrigin || word === 'qpd' || word === 'contact'
  if (!isKnown) return 'begins with none of vkey, origin, qpd and contact'
  logs.push(word === 'qpd' ? { ...last, perDay: Number(value) } : last)
  return undefined
}

function malformedList(message: string, file: string): ForeproofError {
  return new ForeproofError('invalid-input', message, {
    file,
    help: 'The first line is logs/v0; each log has a line vkey NAME+ID+KEY, and may have qpd NUMBER and contact TEXT.',
  })
}
