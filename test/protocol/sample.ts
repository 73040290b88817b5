import { readFileSync } from 'node:fs'
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

/** The repository's own protocol with other values at some pointers. */
export function changed(values: Readonly<Record<string, unknown>>) {
  const made = ownValue()
  for (const [pointer, value] of Object.entries(values)) {
    const path = pointer.split('/').slice(1)
    const last = path.pop() as string
    path.reduce((at, key) => at[key], made)[last] = value
  }
  return made
}

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
