import type { KeyObject } from 'node:crypto'
import { sha256Hex } from '../document/digest.js'
import { readAddCheckpoint, SIZE_TYPE } from '../log/add-checkpoint.js'
import { type ReadCheckpoint, readCheckpoint } from '../log/checkpoint.js'
import { cosign, cosignaturesBy, mergedNote, noteOf } from '../log/cosignature.js'
import { emptyRoot, sameHash, verifyConsistency } from '../log/merkle.js'
import { isSignedBy, signatureLine } from '../log/note.js'
import { KEY_TYPE, type VerifierKey, verifierKey } from '../log/verifier-key.js'
import type { KnownLog } from './known-logs.js'
import type { WitnessState } from './state.js'

/** What a witness answers, over HTTP. */
export interface WitnessAnswer {
  readonly status: number
  readonly body: string
  readonly type: string
}

export interface WitnessParts {
  readonly name: string
  /** Private key of Ed25519. */
  readonly key: KeyObject
  readonly logs: readonly KnownLog[]
  readonly state: WitnessState
  /** In seconds since 1970. */
  readonly now: () => number
  /** Called with what its keeper has to know. */
  readonly alarm: (message: string) => void
}

const DAY_SECONDS = 86_400
const TEXT = 'text/plain; charset=utf-8'

const answer = (status: number, body = '', type = TEXT): WitnessAnswer => ({ status, body, type })
const refusal = (status: number, why: string): WitnessAnswer => answer(status, `${why}\n`)

/** Cosigns checkpoints of the logs that it knows, each only as what goes on from the one before (C2SP tlog-witness). */
export class Witness {
  readonly verifier: VerifierKey
  readonly #logs: ReadonlyMap<string, KnownLog>
  /** By origin, and whether with new entries, when it asked in the last 24 hours. */
  readonly #asked = new Map<string, number[]>()

  constructor(private readonly parts: WitnessParts) {
    this.verifier = verifierKey(parts.name, parts.key, KEY_TYPE.cosignature)
    this.#logs = new Map(parts.logs.map((log) => [log.origin, log]))
  }

  /** Answers a request for a cosignature; what it answers with 200 is kept for good by then. */
  addCheckpoint(text: string): WitnessAnswer {
    const checkpoint = readCheckpoint(text.slice(text.indexOf('\n\n') + 2))
    if (checkpoint === undefined) return refusal(400, 'there is no checkpoint')
    const { origin } = checkpoint
    const log = this.#logs.get(origin)
    if (log === undefined) return refusal(404, 'this log is not known here')
    if (!isSignedBy(checkpoint, origin, log.key.key)) {
      return refusal(403, 'the checkpoint is not signed by the key of this log')
    }
    const request = readAddCheckpoint(text)
    if (request === undefined) return refusal(400, 'the lines before the checkpoint are malformed')
    const { old, proof } = request
    if (old > checkpoint.size) return refusal(400, 'old is larger than the checkpoint')
    return this.parts.state.transaction(
      () => this.#guarded(checkpoint) ?? this.#goneOn(log, checkpoint, old, proof),
    )
  }

  /** The newest cosigned checkpoint of the log whose name has this SHA-256 in hex; undefined where there is none. */
  newest(digest: string): string | undefined {
    const origin = [...this.#logs.keys()].find((each) => sha256Hex(each) === digest)
    const known = origin === undefined ? undefined : this.parts.state.newest(origin)
    const body = known && readCheckpoint(known.note)?.body
    return known && body && mergedNote(known.note, noteOf(body, [known.line]))
  }

  /** Why nothing is cosigned now. */
  #guarded(checkpoint: ReadCheckpoint): WitnessAnswer | undefined {
    const { state, now, alarm } = this.parts
    const { origin, size, root, body, signatures } = checkpoint
    const own = cosignaturesBy(checkpoint, this.verifier, Number.MAX_SAFE_INTEGER).sound
    if (own.length > 0 && !state.hasCosigned(origin, size, root) && !state.isLocked(origin)) {
      const lines = signatures.map((one) => signatureLine(one.name, one.keyId, one.signature))
      state.lock(origin, noteOf(body, lines))
      alarm(`${origin}: a cosignature of ours at size ${size} is not in the state; it was set back`)
    }
    if (state.isLocked(origin)) return refusal(403, 'the state of this witness was set back')
    if (now() >= state.lastTime()) return undefined
    alarm('the clock is behind the last cosignature')
    return refusal(503, 'the clock of this witness is behind its last cosignature')
  }

  #goneOn(
    log: KnownLog,
    { origin, size, root, body, signatures }: ReadCheckpoint,
    old: number,
    proof: readonly Uint8Array[],
  ): WitnessAnswer {
    const { state, name, now, key: own } = this.parts
    const before = state.newest(origin) ?? { size: 0, root: emptyRoot() }
    const goesOn =
      old === before.size &&
      (size > 0 || sameHash(root, emptyRoot())) &&
      verifyConsistency(old, size, proof, before.root, root)
    if (!this.#mayAsk(log, goesOn && size > before.size)) {
      return refusal(429, 'this log has asked often enough for a day')
    }
    if (old !== before.size) return answer(409, `${before.size}\n`, SIZE_TYPE)
    if (!goesOn) {
      return refusal(422, 'the checkpoint does not go on from the one that was cosigned last')
    }
    const time = now()
    const { line } = cosign(body, name, own, time)
    const signed = signatures.filter(
      (one) => one.name === log.key.name && log.key.id.equals(one.keyId),
    )
    const lines = signed.map((one) => signatureLine(one.name, one.keyId, one.signature))
    state.add(origin, { size, root, note: noteOf(body, lines), line, time })
    return answer(200, line)
  }

  /**
   * Anybody can send again what a log has published: so that it takes nothing from the log, requests with new entries
   * are counted by themselves.
   */
  #mayAsk({ origin, perDay }: KnownLog, grows: boolean): boolean {
    const now = this.parts.now()
    const kind = `${grows} ${origin}`
    const recent = (this.#asked.get(kind) ?? []).filter((at) => now - at < DAY_SECONDS)
    this.#asked.set(kind, recent)
    return recent.length < perDay && recent.push(now) > 0
  }
}
