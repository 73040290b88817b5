import { type Finding, finding } from '../../contract/findings/finding.js'
import { capFindings } from '../../contract/findings/finding-list.js'
import { checkProtocol } from '../../contract/generated/check-protocol.js'
import { isObject } from '../../contract/is-object.js'
import { pointerTo } from '../../contract/pointer.js'
import type { SeriesProtocol } from '../../contract/types.js'
import { digestWithout, isDigest, sha256Hex } from '../../document/digest.js'
import { numberSpellings } from '../../document/positions.js'
import type { Document, UnreadableDocument } from '../../document/read.js'
import { checkSeriesDocument } from './check-series.js'

/** The member of a protocol that carries its digest. */
export const PROTOCOL_DIGEST = 'protocol_sha256'

/** Codes that point at the name of a member, not at its value. */
const AT_THE_NAME = new Set(['unknown-key', 'missing-key'])

/** Adds file, line and column to findings that have only a pointer; see `capFindings`. */
export function locateFindings(findings: readonly Finding[], document: Document): Finding[] {
  const located = findings.map((finding) => {
    const part = AT_THE_NAME.has(finding.code) ? 'name' : 'value'
    const position = document.positionAt(finding.pointer ?? '', part)
    return { ...finding, file: document.file, position }
  })
  return capFindings(located)
}

/** Whether a document is meant as a protocol of version 2, for any series. */
export function isSeriesProtocol(value: unknown): value is SeriesProtocol {
  return isObject(value) && value.schema_version === 2
}

/**
 * Every violation of the protocol format in one document, with file, line and column. If there are none, its value is a
 * `Protocol`, or a `SeriesProtocol` if it states version 2. `verifyDocument` checks the digest.
 */
export function checkProtocolDocument(document: Document): Finding[] {
  return locateFindings(checkProtocolValue(document.value), document)
}

/** Checks only form and digest of a frozen protocol, not the list of periods of version 2. */
export function checkFrozenDocument(document: Document | UnreadableDocument): readonly Finding[] {
  if (!document.ok) return document.findings
  return [...checkProtocolDocument(document), ...checkProtocolDigest(document)]
}

/** Every violation of the format, only with pointers. */
export function checkProtocolValue(value: unknown): Finding[] {
  return isSeriesProtocol(value) ? checkSeriesDocument(value) : checkProtocol(value)
}

/** For callers that support only protocols of version 1. */
export function seriesFindings(document: Document): Finding[] {
  if (!isSeriesProtocol(document.value)) return []
  const other = finding('series-not-evaluated', {}, { pointer: '/schema_version' })
  return locateFindings([other], document)
}

/**
 * Checks that a protocol's digest matches its content. A missing or malformed digest is already reported by the schema.
 */
export function checkProtocolDigest(document: Document): Finding[] {
  const { value } = document
  if (!isObject(value)) return []
  const declared = value[PROTOCOL_DIGEST]
  if (!isDigest(declared)) return []
  const computed = digestWithout(value, PROTOCOL_DIGEST)
  if (computed === declared) return []
  const python = pythonReason(document, declared)
  const args = { fault: 'protocol', declared, computed, python } as const
  const mismatch = finding('digest-mismatch', args, { pointer: `/${PROTOCOL_DIGEST}` })
  return locateFindings([mismatch], document)
}

/** The numbers that differ, if the digest is right with Python's spelling of them, else null. */
function pythonReason(document: Document, declared: string): readonly string[] | null {
  const spellings = numberSpellings(document.text)
  const { digest, differing } = computePythonDigest(
    document.value as object,
    PROTOCOL_DIGEST,
    spellings,
  )
  return digest === declared ? differing : null
}

/** Names that Windows reserves for devices, with any extension. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/** Whether a protocol_version can be the name of a file on every system. */
export function isSafeVersion(version: string): boolean {
  return (
    /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9_-])?$/.test(version) && !RESERVED.test(version)
  )
}

/** The document with its digest, in place or, if a draft has none, after schema_version. */
export function withDigest(value: object, digest: string): Record<string, unknown> {
  if (Object.hasOwn(value, PROTOCOL_DIGEST)) return { ...value, [PROTOCOL_DIGEST]: digest }
  const { schema_version, ...rest } = value as Record<string, unknown>
  const first = schema_version === undefined ? {} : { schema_version }
  return { ...first, [PROTOCOL_DIGEST]: digest, ...rest }
}

/** The text of a frozen protocol: indented, in the order of its draft. */
export function protocolText(protocol: object): string {
  return `${JSON.stringify(protocol, null, 2)}\n`
}

export interface PythonDigest {
  readonly digest: string
  /** Pointers of the numbers that Python spells differently from RFC 8785. */
  readonly differing: readonly string[]
}

/**
 * The digest of an object without one of its members, as computed by tools built on Python's `json.dumps(doc,
 * sort_keys=True, separators=(",", ":"), ensure_ascii=False)`. It depends on the spelling of numbers in the source:
 * Python distinguishes `1.0` from `1`.
 * @param spellings - every number as spelled in the source, by pointer.
 */
export function computePythonDigest(
  value: object,
  member: string,
  spellings: ReadonlyMap<string, string>,
): PythonDigest {
  const { [member]: _, ...rest } = value as Record<string, unknown>
  const differing: string[] = []
  const text = dump(rest, '', (pointer, number) => {
    const spelled = pythonNumber(spellings.get(pointer) ?? String(number))
    if (spelled !== String(number)) differing.push(pointer)
    return spelled
  })
  return { digest: sha256Hex(text), differing }
}

type Spell = (pointer: string, number: number) => string

function dump(value: unknown, pointer: string, spell: Spell): string {
  if (typeof value === 'number') return spell(pointer, value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) {
    return `[${value.map((item, i) => dump(item, pointerTo(pointer, i), spell)).join(',')}]`
  }
  const members = Object.entries(value as Record<string, unknown>)
    .sort(([a], [b]) => byCodePoint(a, b))
    .map(([name, item]) => `${JSON.stringify(name)}:${dump(item, pointerTo(pointer, name), spell)}`)
  return `{${members.join(',')}}`
}

/** Python compares texts by code point, which is the order of the bytes of UTF-8; RFC 8785 by UTF-16 code unit. */
const byCodePoint = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** The text that Python writes for a number that it read from `source`. */
function pythonNumber(source: string): string {
  const isInteger = /^-?\d+$/.test(source)
  if (isInteger) return source === '-0' ? '0' : source
  return floatRepr(Number(source))
}

/** Python's repr of a float: shortest digits, with an exponent below 1e-4 and from 1e16 up. */
function floatRepr(number: number): string {
  const sign = number < 0 || Object.is(number, -0) ? '-' : ''
  const [mantissa = '0', power = '0'] = Math.abs(number).toExponential().split('e')
  const exponent = Number(power)
  if (exponent < -4 || exponent >= 16) {
    const magnitude = String(Math.abs(exponent)).padStart(2, '0')
    return `${sign}${mantissa}e${exponent < 0 ? '-' : '+'}${magnitude}`
  }
  const digits = mantissa.replace('.', '')
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`
  const integerPart = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0')
  return `${sign}${integerPart}.${digits.slice(exponent + 1) || '0'}`
}
