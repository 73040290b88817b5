import { isAscii, isUtf8 } from 'node:buffer'
import type { Finding } from '../../contract/findings/finding.js'
import { MAX_DEPTH } from '../../document/canonical.js'
import { readDocument } from '../../document/read.js'
import { AROUND_FORECAST, isSayableText, levelsOf, unsayable } from '../../forecast/i-json.js'
import { findObjectEnd } from '../../forecast/object-end.js'

/** The most bytes that one line, element or page may have. */
export const MAX_VALUE_BYTES = 64 * 1024 * 1024

/** Levels up to which a value may have any shape: a page can be made of it. */
const SURE_LEVELS = MAX_DEPTH - AROUND_FORECAST
/** Beyond one of these a number may be so small that it is read as zero. */
const TINY_EXPONENT = /[eE]-0*[1-9]\d\d/
const TINY_FRACTION = '0'.repeat(200)
const SPACED_COLONS = [' :', '\t:', '\r:', '\n:'] as const

export type ReadValue =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly findings: readonly Finding[] }

/** Reads the JSON values of one input. */
export type StrictReader = (bytes: Buffer, file: string) => ReadValue

/**
 * Reads JSON values as strictly as every document is read (I-JSON). Texts that JSON.parse can be
 * shown to have read the same way take a short cut; all others go through the strict reader, which
 * finds the fault or accepts them. Forecasts of one run carry the same manifest: while its text
 * stays the same it is read once, and its object is shared.
 */
export function createStrictReader(): StrictReader {
  const manifest = new SharedMember('manifest')
  return (bytes, file) => {
    const value = shortCut(bytes, manifest)
    if (value !== undefined) return { ok: true, value }
    const read = readDocument(bytes, file, { maxBytes: MAX_VALUE_BYTES })
    if (!read.ok) return { ok: false, findings: read.findings }
    const fault = unsayable(read.value, levelsOf(read.value))
    if (fault === undefined) return { ok: true, value: read.value }
    const position = read.positionOf(fault.pointer ?? '')
    return { ok: false, findings: [{ ...fault, file, position }] }
  }
}

function shortCut(bytes: Buffer, manifest: SharedMember): unknown {
  const ascii = isAscii(bytes)
  if (!ascii && !isUtf8(bytes)) return undefined
  const text = bytes.toString(ascii ? 'latin1' : 'utf8')
  if (!isPlain(text, ascii)) return undefined
  const cut = manifest.cutFrom(text)
  const value = cut === undefined ? parseExactly(text) : parseExactly(cut)
  if (cut !== undefined && value !== undefined) {
    const { lineage } = value as { lineage?: { manifest?: unknown } | null }
    if (lineage?.manifest !== null) return parseExactly(text)
    lineage.manifest = manifest.value
  } else if (value !== undefined) manifest.learnFrom(text)
  return value
}

/** False where a text may hold what no text may. */
function isPlain(text: string, ascii: boolean): boolean {
  // An escape may hide a lone surrogate or a noncharacter.
  return (ascii || isSayableText(text)) && !text.includes('\\u')
}

/**
 * The object or array of a text that JSON.parse can be shown to have read as the strict reader
 * would, and that ECMAScript writes as it would be read again; undefined for all others, good or bad.
 * @param levels - levels of nesting that it may have.
 */
export function readExactly(text: string, levels: number): object | undefined {
  return isPlain(text, false) ? parseExactly(text, levels) : undefined
}

/** The value of a text that JSON.parse reads as the strict reader would; otherwise undefined. */
function parseExactly(text: string, levels = SURE_LEVELS): object | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  // JSON.parse keeps the last of two members with one name: then the text has more names.
  if (SPACED_COLONS.some((spaced) => text.includes(spaced))) return undefined
  if (mayVanish(text)) return undefined
  return namesIn(text) === membersOf(value, levels) ? value : undefined
}

/** A member whose object is the same in many texts that follow one another. */
class SharedMember {
  readonly #name: string
  readonly #tail: string
  #text = ''
  value: unknown

  constructor(name: string) {
    // Inside a string the quotes would be escaped: this is the member itself, wherever it occurs.
    this.#name = `"${name}":`
    this.#tail = this.#name.slice(-6)
  }

  /** The text with null for the object, if it is the same as before and occurs once. */
  cutFrom(text: string): string | undefined {
    if (this.#text === '') return undefined
    const at = this.#find(text)
    const start = at + this.#name.length
    if (at === -1 || !text.startsWith(this.#text, start)) return undefined
    const end = start + this.#text.length
    return `${text.slice(0, start)}null${text.slice(end)}`
  }

  /** Where the member is if it occurs once, else -1. Short patterns are found much quicker. */
  #find(text: string): number {
    const tail = text.indexOf(this.#tail)
    const at = tail - (this.#name.length - this.#tail.length)
    const once = tail !== -1 && !text.includes(this.#tail, tail + 1)
    return once && text.startsWith(this.#name, at) ? at : -1
  }

  /** Remembers the object of a text that has been read without fault. */
  learnFrom(text: string): void {
    this.#text = ''
    const at = this.#find(text)
    const start = at + this.#name.length
    if (at === -1 || text[start] !== '{') return
    const found = text.slice(start, findObjectEnd(text, start))
    this.#text = found
    this.value = JSON.parse(found)
  }
}

/** Occurrences of `":`, which are the member names and, at most, some ends of strings besides. */
function namesIn(text: string): number {
  let count = 0
  for (let at = text.indexOf('":'); at !== -1; at = text.indexOf('":', at + 2)) count++
  return count
}

/** True where a number may be so small that JSON.parse makes nothing of it. */
function mayVanish(text: string): boolean {
  const exponent = text.includes('e-') || text.includes('E-')
  return (exponent && TINY_EXPONENT.test(text)) || text.includes(TINY_FRACTION)
}

/** Members at all depths; NaN where something in the value asks for the strict reader. */
function membersOf(value: unknown, levels: number): number {
  if (typeof value === 'number') {
    const beyond = Number.isInteger(value) ? !Number.isSafeInteger(value) : !Number.isFinite(value)
    return beyond ? Number.NaN : 0
  }
  if (typeof value !== 'object' || value === null) return 0
  if (levels === 0) return Number.NaN
  let count = 0
  if (Array.isArray(value)) {
    for (const item of value) count += membersOf(item, levels - 1)
    return count
  }
  const members = value as Record<string, unknown>
  for (const name in members) count += 1 + membersOf(members[name], levels - 1)
  return count
}
