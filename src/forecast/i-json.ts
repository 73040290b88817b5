import { isUtf8 } from 'node:buffer'
import { type ArgsOf, type Code, type Finding, finding } from '../contract/findings/finding.js'
import { isObject } from '../contract/is-object.js'
import { pointerTo } from '../contract/pointer.js'
import { MAX_DEPTH } from '../document/canonical.js'
import { parseJson } from '../document/parser.js'
import { FORBIDDEN_CHARACTER, forbiddenIn } from '../document/strings.js'
import type { RawValue } from './row.js'

const EVERY_FORBIDDEN = new RegExp(FORBIDDEN_CHARACTER, 'gu')
/** Levels of nesting of a page around each forecast. */
const AROUND_FORECAST = 2

/** True for a text without lone surrogates and noncharacters. */
export function isIJsonText(value: unknown): value is string {
  return typeof value === 'string' && !FORBIDDEN_CHARACTER.test(value)
}

/** A text to display, with `\uXXXX` for characters that I-JSON forbids. */
export function shownText(text: string): string {
  return text.replace(EVERY_FORBIDDEN, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}

/** Levels of nesting that an imported value may have, so that it still fits into a page. */
export function nestingLimit(value: unknown): number {
  const isBody = typeof value === 'object' && value !== null && 'api_version' in value
  return isBody ? MAX_DEPTH : MAX_DEPTH - AROUND_FORECAST
}

/**
 * Finds what a strict reader (RFC 7493) would refuse in a value, as ECMAScript writes it. Only the first fault;
 * undefined for most values.
 * @param levels - levels of nesting that the value may have.
 */
export function iJsonFault(value: unknown, levels: number): Finding | undefined {
  if (typeof value === 'number') return numberFault(value)
  if (typeof value === 'string') return textFault(value)
  if (typeof value !== 'object' || value === null) return undefined
  if (levels === 0) return fault('json-depth', { limit: MAX_DEPTH })
  const isArray = Array.isArray(value)
  for (const name of Object.keys(value)) {
    const inName = isArray ? undefined : textFault(name)
    if (inName !== undefined) return inName
    const inner = iJsonFault((value as Record<string, unknown>)[name], levels - 1)
    if (inner !== undefined) return { ...inner, pointer: `${pointerTo('', name)}${inner.pointer}` }
  }
  return undefined
}

/** Every finite number survives writing and reading. */
function numberFault(value: number): Finding | undefined {
  if (Number.isFinite(value)) return undefined
  return fault('json-number-range', { fault: 'double', found: String(value) })
}

function textFault(text: string): Finding | undefined {
  const forbidden = forbiddenIn(text)
  return forbidden && fault('json-character', forbidden)
}

function fault<C extends Code>(code: C, args: ArgsOf<C>): Finding {
  return finding(code, args, { pointer: '' })
}

/** Levels of nesting around a manifest in a page: those of its forecast, and two more. */
const AROUND_MANIFEST = AROUND_FORECAST + 2

/** The stored manifest, if every strict reader of a page reads it as it is stored; otherwise undefined. */
export function storedManifest(json: RawValue): Record<string, unknown> | undefined {
  return sentObject(json, MAX_DEPTH - AROUND_MANIFEST)
}

/** The forecast that a history stores as a whole; undefined on the same condition. */
export function storedWhole(json: RawValue): Record<string, unknown> | undefined {
  return sentObject(json, MAX_DEPTH - AROUND_FORECAST)
}

function sentObject(json: RawValue, levels: number): Record<string, unknown> | undefined {
  const text = toText(json)
  if (text === undefined) return undefined
  const { value, faults } = parseJson(text, { levels })
  if (faults.length > 0 || !isObject(value)) return undefined
  return iJsonFault(value, levels) === undefined ? value : undefined
}

/** A producer may have stored bytes instead of text; other values cannot be an object. */
function toText(json: RawValue): string | undefined {
  if (typeof json === 'string') return json
  if (!(json instanceof Uint8Array) || !isUtf8(json)) return undefined
  return Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString('utf8')
}
