import type { KeyObject } from 'node:crypto'
import { type Finding, finding, hasNoErrors } from '../contract/findings/finding.js'
import { isObject } from '../contract/is-object.js'
import { canonicalize } from '../document/canonical.js'
import { isDigest } from '../document/digest.js'
import { readDocument } from '../document/read.js'
import { type Anchor, toAnchor } from '../time/rfc3161/anchors.js'
import { parseCertificate } from '../time/rfc3161/certificate.js'
import { Malformed } from '../time/rfc3161/der.js'
import { MAX_TOKEN_BYTES, type TimeStamp } from '../time/rfc3161/time-stamp.js'
import { parseCheckpoint, type SignedCheckpoint } from './checkpoint.js'
import { leafHash, verifyInclusion } from './merkle.js'
import { isSignedBy, parseBase64 } from './note.js'
import { isOfLog, type Policy, witnessedAt } from './policy.js'

/** A self-contained proof that an entry is in a log. Hashes are in hex, other bytes in base64. */
export interface LogProof {
  readonly proof_version: 1
  readonly index: number
  /** The text that the leaf is the hash of: a forecast without its freshness, or an attempt. */
  readonly entry: string
  /** From the neighbour of the leaf up. */
  readonly path: readonly string[]
  /** The note. */
  readonly checkpoint: string
  readonly stamps: readonly { readonly authority: string; readonly token: string }[]
  /** Certificates of authorities, in DER. */
  readonly anchors: readonly {
    readonly name: string
    readonly sha256: string
    readonly der: string
  }[]
}

export interface VerifyProofOptions {
  readonly file: string
  /**
   * Anchors that the checker trusts. An anchor of the proof counts only if its digest is in `pinned`. If either is
   * given, one of them must have stamped the checkpoint.
   */
  readonly anchors?: readonly Anchor[] | undefined
  readonly pinned?: readonly string[] | undefined
  /** The key that must have signed the checkpoint. */
  readonly key?: KeyObject | undefined
  /** The witnesses that the checker trusts; their quorum must have cosigned the checkpoint. */
  readonly policy?: Policy | undefined
  /** In seconds since 1970. */
  readonly now: number
}

export interface VerifiedProof {
  readonly findings: readonly Finding[]
  /** The proven entry; undefined if nothing was proven. */
  readonly entry: string | undefined
  readonly log: string | undefined
  readonly index: number | undefined
  readonly size: number | undefined
  readonly stamps: readonly (TimeStamp & { readonly pinned: boolean })[]
  /** When the checker's quorum had cosigned it, in seconds since 1970; null without a quorum. */
  readonly witnessedAt: number | null
}

export const MAX_PROOF_BYTES = 8_388_608
const MAX_PATH_HASHES = 64
const MAX_STAMPS = 16
const NOTHING = {
  entry: undefined,
  log: undefined,
  index: undefined,
  size: undefined,
  stamps: [],
  witnessedAt: null,
}

/** The result if nothing was proven. */
const failedProof = (...findings: readonly Finding[]): VerifiedProof => ({ ...NOTHING, findings })

/** Verifies a proof without any other file, except for what the caller trusts. */
export async function verifyProof(
  bytes: Uint8Array,
  options: VerifyProofOptions,
): Promise<VerifiedProof> {
  const { file } = options
  const read = readDocument(bytes, file, { maxBytes: MAX_PROOF_BYTES })
  if (!read.ok) return failedProof(...read.findings.map((one) => ({ ...one, file })))
  const malformed = (detail: string) =>
    failedProof(finding('proof-malformed', { detail }, { file }))
  const fault = findFormFault(read.value)
  if (fault !== undefined) return malformed(fault)
  const proof = read.value as unknown as LogProof
  const note = parseCheckpoint(proof.checkpoint)
  if (note === undefined) return malformed('checkpoint is no checkpoint')
  const path = proof.path.map((hash) => Buffer.from(hash, 'hex'))
  const { origin: log, size, root } = note
  if (!verifyInclusion(leafHash(proof.entry), proof.index, size, path, root)) {
    return failedProof(finding('proof-root', { index: proof.index, size }, { file }))
  }
  const { key } = options
  if (key !== undefined && !isSignedBy(note, log, key)) {
    return failedProof(finding('proof-signature', {}, { file }))
  }
  const { stamps, findings } = await verifyStamps(proof, note, options)
  const demanded = options.anchors !== undefined || options.pinned !== undefined
  if (demanded && hasNoErrors(findings) && stamps.every(({ pinned }) => !pinned)) {
    findings.push(finding('proof-untrusted', {}, { file }))
  }
  const { policy, now } = options
  const witnessed =
    policy !== undefined && isOfLog(policy, note)
      ? witnessedAt(policy, note, now)
      : Number.POSITIVE_INFINITY
  const isWitnessed = Number.isFinite(witnessed)
  if (policy !== undefined && !isWitnessed) {
    findings.push(finding('proof-unwitnessed', {}, { file }))
  }
  const seen = { witnessedAt: isWitnessed ? witnessed : null }
  return { findings, entry: proof.entry, log, index: proof.index, size, stamps, ...seen }
}

async function verifyStamps(
  proof: LogProof,
  { body }: SignedCheckpoint,
  { file, anchors = [], pinned = [] }: VerifyProofOptions,
): Promise<{ stamps: VerifiedProof['stamps']; findings: Finding[] }> {
  if (proof.stamps.length === 0) {
    return { stamps: [], findings: [finding('proof-unstamped', {}, { file })] }
  }
  const { verifyToken } = await import('../time/rfc3161/verify-token.js')
  const inside = proof.anchors.map(({ name, der }) =>
    toAnchor(name, file, parseCertificate(Buffer.from(der, 'base64'))),
  )
  const trusted = [...anchors, ...inside.filter(({ sha256 }) => pinned.includes(sha256))]
  const others = inside.filter(({ sha256 }) => trusted.every((one) => one.sha256 !== sha256))
  const stamps: (TimeStamp & { pinned: boolean })[] = []
  const findings: Finding[] = []
  for (const token of new Set(proof.stamps.map((stamp) => stamp.token))) {
    const allAnchors = [...trusted, ...others]
    const checked = await verifyToken(Buffer.from(token, 'base64'), Buffer.from(body), allAnchors, {
      file,
    })
    findings.push(...checked.findings)
    if (!checked.ok) continue
    const { authority, anchorSha256: sha256 } = checked.stamp
    const isPinned = trusted.some((one) => one.sha256 === sha256)
    stamps.push({ ...checked.stamp, pinned: isPinned })
    if (!isPinned) findings.push(finding('proof-unpinned', { authority, sha256 }, { file }))
  }
  return { stamps, findings }
}

/** The first fault in the form of a proof; undefined if there is none. */
function findFormFault(value: unknown): string | undefined {
  if (!isObject(value) || value.proof_version !== 1) return 'proof_version is not 1'
  const { index, entry, path, checkpoint, stamps, anchors } = value
  if (typeof index !== 'number' || !Number.isSafeInteger(index) || index < 0) {
    return 'index is not a whole number'
  }
  if (typeof entry !== 'string') return 'entry is not a text'
  if (!isCanonical(entry)) return 'entry is not in canonical form (RFC 8785)'
  if (typeof checkpoint !== 'string') return 'checkpoint is not a text'
  if (!isList(path, MAX_PATH_HASHES, isDigest)) return 'path is not a list of hashes'
  const isStamp = (one: unknown) => isObject(one) && isText(one.authority) && isBytes(one.token)
  if (!isList(stamps, MAX_STAMPS, isStamp)) return 'stamps is not a list of stamps'
  const isAnchor = (one: unknown) => isObject(one) && isText(one.name) && isCertificate(one.der)
  if (!isList(anchors, MAX_STAMPS, isAnchor)) return 'anchors is not a list of certificates'
  return undefined
}

/** Other spellings, such as a repeated member, could mean different values to different readers. */
function isCanonical(text: string): boolean {
  try {
    return canonicalize(JSON.parse(text)) === text
  } catch {
    return false
  }
}

function isList(value: unknown, max: number, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.length <= max && value.every(isItem)
}

const isText = (value: unknown) => typeof value === 'string' && value.length <= 200

function isBytes(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    value.length <= MAX_TOKEN_BYTES * 2 &&
    parseBase64(value) !== undefined
  )
}

function isCertificate(value: unknown): boolean {
  if (!isBytes(value)) return false
  try {
    return parseCertificate(Buffer.from(String(value), 'base64')).x509.ca
  } catch (cause) {
    if (cause instanceof Malformed) return false
    throw cause
  }
}
