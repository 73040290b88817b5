import { isAscii, isUtf8 } from 'node:buffer'
import type { Finding } from '../contract/finding.js'
import { readDocument } from '../document/read.js'
import { findObjectEnd } from './object-end.js'

/** The most bytes that one line, element or page may have. */
export const MAX_VALUE_BYTES = 64 * 1024 * 1024

const MAX_DEPTH = 64
const SPACED_COLONS = [' :', '\t:', '\r:', '\n:'] as const
const NONCHARACTER =
  /[\ufdd0-\ufdef\ufffe\uffff]|[\ud83f\ud87f\ud8bf\ud8ff\ud93f\ud97f\ud9bf\ud9ff\uda3f\uda7f\udabf\udaff\udb3f\udb7f\udbbf\udbff][\udffe\udfff]/

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
    return read.ok ? { ok: true, value: read.value } : { ok: false, findings: read.findings }
  }
}

function shortCut(bytes: Buffer, manifest: SharedMember): unknown {
  const ascii = isAscii(bytes)
  if (!ascii && !isUtf8(bytes)) return undefined
  const text = bytes.toString(ascii ? 'latin1' : 'utf8')
  if (!ascii && NONCHARACTER.test(text)) return undefined
  // An escape may hide a lone surrogate or a noncharacter.
  if (text.includes('\\u')) return undefined
  const cut = manifest.cutFrom(text)
  const value = cut === undefined ? parseExactly(text) : parseExactly(cut)
  if (cut !== undefined && value !== undefined) {
    const { lineage } = value as { lineage?: { manifest?: unknown } | null }
    if (lineage?.manifest !== null) return parseExactly(text)
    lineage.manifest = manifest.value
  } else if (value !== undefined) manifest.learnFrom(text)
  return value
}

/** The value of a text that JSON.parse reads as the strict reader would; otherwise undefined. */
function parseExactly(text: string): object | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  // JSON.parse keeps the last of two members with one name: then the text has more names.
  if (SPACED_COLONS.some((spaced) => text.includes(spaced))) return undefined
  return namesIn(text) === membersOf(value, 1) ? value : undefined
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

/** Members at all depths; NaN where something in the value asks for the strict reader. */
function membersOf(value: unknown, depth: number): number {
  if (typeof value === 'number') {
    const beyond = Number.isInteger(value) ? !Number.isSafeInteger(value) : !Number.isFinite(value)
    return beyond ? Number.NaN : 0
  }
  if (typeof value !== 'object' || value === null) return 0
  if (depth > MAX_DEPTH) return Number.NaN
  let count = 0
  if (Array.isArray(value)) {
    for (const item of value) count += membersOf(item, depth + 1)
    return count
  }
  const members = value as Record<string, unknown>
  for (const name in members) count += 1 + membersOf(members[name], depth + 1)
  return count
}
