import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'

/** The text of a file; of one that ends in .gz what is packed in it, by the zlib of Node. */
export const readText = (path: string): string => {
  const bytes = readFileSync(path)
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
}

/** The other way round. */
export const writeText = (path: string, text: string | Uint8Array): void =>
  writeFileSync(path, path.endsWith('.gz') ? gzipSync(text) : text)

/** Writes a file, with the folders above it. @returns its path */
export function put(file: string, content: string | Uint8Array): string {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
  return file
}
