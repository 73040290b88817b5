import { MICROS_PER_SECOND } from '../../contract/instant.js'
import { printable } from '../../contract/printable.js'
import { algorithmName, findHash, type HashName } from './algorithms.js'
import { computeDigest } from './crypto.js'
import { decodeLatin1, type Element, parseDerTime, parseSmallInteger, sameBytes } from './der.js'
import type { Signed, StampAnswer, StampRequest, TimeStatement } from './structures.js'
import { throwFinding } from './time-stamp.js'

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
const MAX_TEXT_CHARACTERS = 200

function doesNotCount(fault: string): never {
  throwFinding('stamp-content', { fault })
}

/**
 * Check 1: the authority granted the request, and one signer states the time of these bytes.
 * @returns the signed content; its signature is not verified yet.
 * @throws {StampRefused}
 */
export function checkAnswer({ status, text, reasons, token }: StampAnswer): Signed {
  const granted = status === GRANTED || status === GRANTED_WITH_CHANGES
  if (!granted || token === undefined) {
    throwFinding('stamp-refused', {
      status,
      text: printable(text.slice(0, MAX_TEXT_CHARACTERS)),
      reasons: reasons.map((bit) => REASONS[bit] ?? `reason ${bit}`),
    })
  }
  const { type, contentType, signers } = token
  if (type !== SIGNED_DATA) doesNotCount(`its content is of type ${type}`)
  if (contentType !== TST_INFO) doesNotCount(`its content is of type ${contentType}`)
  if (signers.length !== 1) doesNotCount(`it has ${signers.length} signers, and must have one`)
  return token
}

/** Check 1, what is stated. @throws {StampRefused} */
export function checkStatement(statement: TimeStatement, data: Uint8Array) {
  if (statement.version !== 1) {
    doesNotCount(`TSTInfo has version ${statement.version ?? 'beyond all numbers'}, not 1`)
  }
  const critical = statement.extensions.filter((each) => each.critical).map(({ oid }) => oid)
  if (critical.length > 0) {
    doesNotCount(`it has critical extensions that are not understood: ${critical.join(', ')}`)
  }
  const imprint = checkImprint(statement.imprint, data)
  const genTime = parseDerTime(statement.genTime)
  const accuracy = toMicros(statement.accuracy)
  if (genTime === undefined || accuracy === undefined) {
    const shownTime = printable(decodeLatin1(statement.genTime))
    doesNotCount(`its time, ${shownTime}, is not a time in UTC with its accuracy in range`)
  }
  return { imprint, genTime, accuracy }
}

const toHex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

function checkImprint({ algorithm, digest }: TimeStatement['imprint'], data: Uint8Array): HashName {
  const hash = findHash(algorithm)
  if (hash === undefined)
    throwFinding('stamp-weak', { what: 'the imprint', found: algorithmName(algorithm.oid) })
  const [found, expected] = [toHex(digest), toHex(computeDigest(hash, data))]
  if (found !== expected) {
    throwFinding('stamp-imprint', { found: found.slice(0, expected.length), expected })
  }
  return hash
}

/** The accuracy in microseconds; undefined if a part is out of range. */
function toMicros(accuracy: TimeStatement['accuracy']): number | undefined {
  const seconds = numberUpTo(0x7fffffff, accuracy?.seconds)
  const millis = numberUpTo(999, accuracy?.millis)
  const micros = numberUpTo(999, accuracy?.micros)
  const sum = seconds * MICROS_PER_SECOND + millis * 1000 + micros
  return Number.isNaN(sum) ? undefined : sum
}

/** 0 if there is no number, NaN if it is out of range. */
function numberUpTo(max: number, element: Element | undefined): number {
  const number = element === undefined ? 0 : (parseSmallInteger(element) ?? Number.NaN)
  return number <= max ? number : Number.NaN
}

/** Check 7: the stamp answers this request. @throws {StampRefused} */
export function checkRequest(asked: StampRequest, { nonce, imprint, policy }: TimeStatement): void {
  if (asked.nonce !== undefined && !(nonce && sameBytes(asked.nonce, nonce))) {
    const fault = 'it does not repeat the nonce: it may be an old answer to someone else'
    throwFinding('stamp-query', { fault })
  }
  const [found, expected] = [toHex(imprint.digest), toHex(asked.imprint.digest)]
  if (found !== expected) {
    throwFinding('stamp-query', { fault: `its imprint is ${found}, but ${expected} was asked for` })
  }
  if (asked.policy !== undefined && asked.policy !== policy) {
    throwFinding('stamp-query', {
      fault: `its policy is ${policy}, but ${asked.policy} was asked for`,
    })
  }
}
