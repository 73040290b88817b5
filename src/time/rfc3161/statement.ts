import { type Instant, MICROS_PER_SECOND } from '../../contract/instant.js'
import { printable } from '../../contract/printable.js'
import { type Hash, hashOf, nameOf } from './algorithms.js'
import { digestOf } from './crypto.js'
import { type Element, instantOfTime, sameBytes, smallNumberOf, textOf } from './der.js'
import type { Signed, StampAnswer, StampRequest, TimeStatement } from './structures.js'
import { refuse } from './types.js'

const SIGNED_DATA = '1.2.840.113549.1.7.2'
const TST_INFO = '1.2.840.113549.1.9.16.1.4'
/** PKIFailureInfo, by the number of the bit (RFC 3161, 2.4.2). */
const REASONS: Readonly<Record<number, string>> = {
  0: 'badAlg',
  2: 'badRequest',
  5: 'badDataFormat',
  14: 'timeNotAvailable',
  15: 'unacceptedPolicy',
  16: 'unacceptedExtension',
  17: 'addInfoNotAvailable',
  25: 'systemFailure',
}
const GRANTED = 0
const GRANTED_WITH_CHANGES = 1
const LONGEST_TEXT = 200

/** What holds of a statement that passed. */
export interface Stated {
  readonly statement: TimeStatement
  readonly imprint: Hash
  readonly genTime: Instant
  readonly accuracy: number
}

/**
 * Check 1: the authority granted the request, and one signer states the time of these bytes.
 * @returns the signed content, whose signature nobody has looked at yet.
 * @throws {StampRefused}
 */
export function checkAnswer({ status, text, reasons, token }: StampAnswer): Signed {
  const granted = status === GRANTED || status === GRANTED_WITH_CHANGES
  if (!granted || token === undefined) {
    refuse('stamp-refused', {
      status,
      text: printable(text.slice(0, LONGEST_TEXT)),
      reasons: reasons.map((bit) => REASONS[bit] ?? `reason ${bit}`),
    })
  }
  if (token.type !== SIGNED_DATA) refuse('stamp-content', { found: token.type })
  if (token.contentType !== TST_INFO) refuse('stamp-content', { found: token.contentType })
  if (token.signers.length !== 1) refuse('stamp-signers', { found: token.signers.length })
  return token
}

/** Check 1, what is stated. @throws {StampRefused} */
export function checkStatement(statement: TimeStatement, data: Uint8Array): Stated {
  if (statement.version !== 1) {
    refuse('stamp-version', { what: 'TSTInfo', found: statement.version ?? 0 })
  }
  const critical = statement.extensions.filter((each) => each.critical).map(({ oid }) => oid)
  if (critical.length > 0) refuse('stamp-extension', { found: critical })
  const imprint = checkImprint(statement.imprint, data)
  const genTime = instantOfTime(statement.genTime)
  const accuracy = microsOf(statement.accuracy)
  if (genTime === undefined || accuracy === undefined) {
    refuse('stamp-time', { found: printable(textOf(statement.genTime)) })
  }
  return { statement, imprint, genTime, accuracy }
}

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

function checkImprint({ algorithm, digest }: TimeStatement['imprint'], data: Uint8Array): Hash {
  const hash = hashOf(algorithm)
  if (hash === undefined) refuse('stamp-imprint-algorithm', { found: nameOf(algorithm.oid) })
  const [found, expected] = [hexOf(digest), hexOf(digestOf(hash, data))]
  if (found !== expected) {
    refuse('stamp-imprint', { found: found.slice(0, expected.length), expected })
  }
  return hash
}

/** Microseconds; undefined where a part of the accuracy is out of its range. */
function microsOf(accuracy: TimeStatement['accuracy']): number | undefined {
  const seconds = numberUpTo(0x7fffffff, accuracy?.seconds)
  const millis = numberUpTo(999, accuracy?.millis)
  const micros = numberUpTo(999, accuracy?.micros)
  const sum = seconds * MICROS_PER_SECOND + millis * 1000 + micros
  return Number.isNaN(sum) ? undefined : sum
}

/** 0 where there is no number, NaN for one out of range. */
function numberUpTo(most: number, element: Element | undefined): number {
  const number = element === undefined ? 0 : (smallNumberOf(element) ?? Number.NaN)
  return number <= most ? number : Number.NaN
}

/** Check 7: the stamp answers this request. @throws {StampRefused} */
export function checkRequest(asked: StampRequest, { statement }: Stated): void {
  const { nonce, imprint, policy } = statement
  if (asked.nonce !== undefined && !(nonce && sameBytes(asked.nonce, nonce))) {
    refuse('stamp-nonce', {})
  }
  const [found, expected] = [hexOf(imprint.digest), hexOf(asked.imprint.digest)]
  if (found !== expected) refuse('stamp-query', { what: 'imprint', found, expected })
  if (asked.policy !== undefined && asked.policy !== policy) {
    refuse('stamp-query', { what: 'policy', found: policy, expected: asked.policy })
  }
}
