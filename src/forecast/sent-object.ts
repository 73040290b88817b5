import { isUtf8 } from 'node:buffer'
import { isObject } from '../contract/is-object.js'
import { MAX_DEPTH } from '../document/canonical.js'
import { parse } from '../document/parser.js'
import { AROUND_FORECAST, iJsonFault } from './i-json.js'
import type { RawValue } from './row.js'

/** Levels around a manifest in the page that it is sent in: those of its forecast, and two more. */
const AROUND_MANIFEST = AROUND_FORECAST + 2

/**
 * The manifest that a history stores, where every strict reader of the pages it is sent in reads it
 * as it is stored; otherwise undefined.
 */
export function storedManifest(json: RawValue): Record<string, unknown> | undefined {
  return sentObject(json, MAX_DEPTH - AROUND_MANIFEST)
}

/** The forecast that a history keeps whole; undefined as for a manifest. */
export function storedWhole(json: RawValue): Record<string, unknown> | undefined {
  return sentObject(json, MAX_DEPTH - AROUND_FORECAST)
}

function sentObject(json: RawValue, levels: number): Record<string, unknown> | undefined {
  const text = textOf(json)
  if (text === undefined) return undefined
  const { value, faults } = parse(text, { levels })
  if (faults.length > 0 || !isObject(value)) return undefined
  return iJsonFault(value, levels) === undefined ? value : undefined
}

/** A producer may have stored bytes where a text belongs; other values hold no object. */
function textOf(json: RawValue): string | undefined {
  if (typeof json === 'string') return json
  if (!(json instanceof Uint8Array) || !isUtf8(json)) return undefined
  return Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString('utf8')
}
