import { isUtf8 } from 'node:buffer'
import { isObject } from '../contract/is-object.js'
import { MAX_DEPTH } from '../document/canonical.js'
import { readDocument } from '../document/read.js'
import { MAX_VALUE_BYTES, readExactly } from '../history/import/strict-json.js'
import { AROUND_FORECAST, unsayable } from './i-json.js'
import type { RawValue } from './row.js'

/** Levels around a manifest in the page that it is sent in: those of its forecast, and two more. */
const AROUND_MANIFEST = AROUND_FORECAST + 2

/** The most manifests that are kept by their text, and characters of all of them together. */
const TEXTS_KEPT = 64
const CHARACTERS_KEPT = 4_000_000

interface Kept {
  readonly manifest: Record<string, unknown> | undefined
}

/** Origins of one run mostly have the same manifest, letter for letter. */
const kept = new Map<string, Kept>()
let charactersKept = 0

/**
 * The manifest that a history stores, where every strict reader of the pages it is sent in reads it
 * as it is stored; otherwise undefined.
 */
export function storedManifest(json: RawValue): Record<string, unknown> | undefined {
  const text = textOf(json)
  if (text === undefined) return undefined
  const known = kept.get(text)
  if (known !== undefined) return known.manifest
  const manifest = sentObject(text, AROUND_MANIFEST)
  if (text.length <= CHARACTERS_KEPT) {
    charactersKept += text.length
    if (kept.size >= TEXTS_KEPT || charactersKept > CHARACTERS_KEPT) {
      kept.clear()
      charactersKept = text.length
    }
    kept.set(text, { manifest })
  }
  return manifest
}

/** The forecast that a history keeps whole; undefined as for a manifest. */
export function storedWhole(json: RawValue): Record<string, unknown> | undefined {
  const text = textOf(json)
  return text === undefined ? undefined : sentObject(text, AROUND_FORECAST)
}

/** The object of a JSON text that can be sent with so many levels around it. */
function sentObject(text: string, around: number): Record<string, unknown> | undefined {
  const exact = readExactly(text, MAX_DEPTH - around)
  if (exact !== undefined) return isObject(exact) ? exact : undefined
  try {
    if (!isObject(JSON.parse(text))) return undefined
  } catch {
    return undefined
  }
  // What it is sent in counts for the depth; the text is one value, so brackets around it are enough.
  const nested = `${'['.repeat(around)}${text}${']'.repeat(around)}`
  const read = readDocument(Buffer.from(nested), '', { maxBytes: MAX_VALUE_BYTES })
  if (!read.ok || unsayable(read.value, MAX_DEPTH) !== undefined) return undefined
  let value = read.value
  for (let level = 0; level < around; level++) value = (value as unknown[])[0]
  return value as Record<string, unknown>
}

/** A producer may have stored bytes where a text belongs; other values hold no object. */
function textOf(json: RawValue): string | undefined {
  if (typeof json === 'string') return json
  if (!(json instanceof Uint8Array) || !isUtf8(json)) return undefined
  return Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString('utf8')
}
