import { readFileSync } from 'node:fs'
import { parentPointer, valueAt } from '../../src/contract/pointer.js'
import type { Protocol } from '../../src/contract/types.js'
import { type Document, readDocument } from '../../src/document/read.js'

const OWN = new URL('../../protocols/btcusd-hourly-1.json', import.meta.url)

/** The text of the repository's own frozen protocol. */
export function ownText(): string {
  return readFileSync(OWN, 'utf8')
}

// biome-ignore lint/suspicious/noExplicitAny: tests bend it out of shape on purpose
export function ownValue(): any {
  return JSON.parse(ownText())
}

/** The same with texts that say nothing; its digest is made up. */
export function sampleProtocol(): Protocol {
  const made = JSON.parse(ownText(), (key, value) => {
    if (key === 'protocol_sha256') return '0'.repeat(64)
    return typeof value === 'string' && value.length > 40 ? 'a text' : value
  })
  made.protocol_version = 'sample-1'
  made.uncertainty.seed = 410
  return made
}

/** New values by pointer; undefined takes a member away. */
export type Changes = Readonly<Record<string, unknown>>

/** A copy of a document with other values at some pointers. */
export function changedIn<T>(document: T, changes: Changes): T {
  const made = structuredClone(document)
  for (const [pointer, value] of Object.entries(changes)) {
    const holder = valueAt(made, parentPointer(pointer) ?? '') as Record<string, unknown>
    const name = pointer.slice(pointer.lastIndexOf('/') + 1)
    if (value === undefined) delete holder[name]
    else holder[name] = value
  }
  return made
}

/** The repository's own protocol so. */
export const changed = (changes: Changes) => changedIn(ownValue(), changes)

/** The text of a draft that is like it. */
export function draftText(version: string, change: object = {}): string {
  const { protocol_sha256: _, ...rest } = ownValue()
  return JSON.stringify({ ...rest, ...change, protocol_version: version })
}

/** A document as the reader gives it, from a text or from a value. */
export function documentOf(source: unknown, file = 'x.json'): Document {
  const text = typeof source === 'string' ? source : JSON.stringify(source, null, 2)
  const document = readDocument(new TextEncoder().encode(text), file)
  if (!document.ok) throw new Error(JSON.stringify(document.findings))
  return document
}
