import { type Finding, finding } from '../../contract/findings/finding.js'
import { capFindings } from '../../contract/findings/finding-list.js'
import { checkProtocol } from '../../contract/generated/check-protocol.js'
import { isObject } from '../../contract/is-object.js'
import { pointerTo } from '../../contract/pointer.js'
import { digestWithout, isDigest, sha256Hex } from '../../document/digest.js'
import { numberSpellings } from '../../document/places.js'
import type { Document, UnreadableDocument } from '../../document/read.js'
import { checkSeriesDocument } from './series.js'

/** The member of a protocol that carries its digest. */
export const PROTOCOL_DIGEST = 'protocol_sha256'

/** Codes whose place is the name of a member rather than its value. */
const AT_THE_NAME = new Set(['unknown-key', 'missing-key'])

/** Findings by pointer alone, as the contract gives them, with file, line and column added; see `capFindings`. */
export function locateFindings(findings: readonly Finding[], document: Document): Finding[] {
  const located = findings.map((finding) => {
    const part = AT_THE_NAME.has(finding.code) ? 'name' : 'value'
    const position = document.positionOf(finding.pointer ?? '', part)
    return { ...finding, file: document.file, position }
  })
  return capFindings(located)
}

/** Whether a document is meant as a protocol of version 2, for any series. */
export function isSeriesProtocol(value: unknown): boolean {
  return isObject(value) && value.schema_version === 2
}

/**
 * Every violation of the protocol format in one document, with file, line and column; none means that
 * its value is a `Protocol`, or a `SeriesProtocol` where it states version 2. The digest is not recomputed: see
 * `verifyDocument`.
 */
export function checkProtocolDocument(document: Document): Finding[] {
  return locateFindings(checkProtocolValue(document.value), document)
}

/** Form and digest of a frozen protocol by itself; the list of one of version 2 is another matter. */
export function checkFrozenDocument(document: Document | UnreadableDocument): readonly Finding[] {
  if (!document.ok) return document.findings
  return [...checkProtocolDocument(document), ...checkProtocolDigest(document)]
}

/** Every violation of the format, by pointers alone. */
export function checkProtocolValue(value: unknown): Finding[] {
  return isSeriesProtocol(value) ? checkSeriesDocument(value) : checkProtocol(value)
}

/** For those who evaluate protocols of version 1 alone. */
export function seriesFindings(document: Document): Finding[] {
  if (!isSeriesProtocol(document.value)) return []
  const other = finding('series-not-evaluated', {}, { pointer: '/schema_version' })
  return locateFindings([other], document)
}

/**
 * Whether a protocol's digest is that of its content. A digest that is absent or no digest at all
 * is a matter of the schema and not reported twice.
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

/** The numbers to blame when the digest is right by Python's spelling of them, else null. */
function pythonReason(document: Document, declared: string): readonly string[] | null {
  const spellings = numberSpellings(document.text)
  const { digest, differing } = pythonDigest(document.value as object, PROTOCOL_DIGEST, spellings)
  return digest === declared ? differing : null
}

/** Names that Windows keeps for devices, with any extension. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/** Whether a protocol_version can be the name of a file on every system. */
export function isSafeVersion(version: string): boolean {
  return (
    /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9_-])?$/.test(version) && !RESERVED.test(version)
  )
}

/** The document with its digest, in its place or, where a draft has none, behind schema_version. */
export function withDigest(value: object, digest: string): Record<string, unknown> {
  if (Object.hasOwn(value, PROTOCOL_DIGEST)) return { ...value, [PROTOCOL_DIGEST]: digest }
  const { schema_version, ...rest } = value as Record<string, unknown>
  const first = schema_version === undefined ? {} : { schema_version }
  return { ...first, [PROTOCOL_DIGEST]: digest, ...rest }
}

/** How a frozen protocol is written: indented, in the order of its draft. */
export function protocolText(protocol: object): string {
  return `${JSON.stringify(protocol, null, 2)}\n`
}

export interface PythonDigest {
  readonly digest: string
  /** Pointers of the numbers that Python spells otherwise than RFC 8785. */
  readonly differing: readonly string[]
}

/**
 * The digest that tools built on Python's `json.dumps(doc, sort_keys=True, separators=(",", ":"),
 * ensure_ascii=False)` give to an object without one of its members. It depends on how the source
 * spells its numbers: Python keeps `1.0` apart from `1`.
 * @param spellings - every number of the source as it is written there, by pointer.
 */
export function pythonDigest(
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

/** Python compares texts by code point, as the bytes of UTF-8 do; RFC 8785 by UTF-16 code unit. */
const byCodePoint = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** What Python writes for a number that it read from `source`. */
function pythonNumber(source: string): string {
  const isInteger = /^-?\d+$/.test(source)
  if (isInteger) return source === '-0' ? '0' : source
  return floatRepr(Number(source))
}

/** Python's repr of a float: shortest digits, an exponent below 1e-4 and from 1e16 on. */
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
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0')
  return `${sign}${whole}.${digits.slice(exponent + 1) || '0'}`
}
