import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { sha256Hex } from '../../document/digest.js'
import type { SiteWriter } from './types.js'

// Higher levels take several times as long for a tenth off the size, and a first build compresses
// every page; of the brotli qualities the next one up is slower and no smaller on such pages.
const GZIP_LEVEL = 2
const BROTLI_QUALITY = 1

/** A file of a site with the digest of its bytes. */
export interface WrittenFile {
  readonly path: string
  readonly sha256: string
}

/** Writes a file as it is. */
export async function putPlain(
  writer: SiteWriter,
  path: string,
  content: string | Uint8Array,
): Promise<WrittenFile> {
  const bytes = Buffer.from(content)
  await writer.put(path, bytes)
  return { path, sha256: sha256Hex(bytes) }
}

/** Writes a text and its compressed copies, the copies first; their bytes depend on nothing but the text. */
export async function putEncoded(
  writer: SiteWriter,
  path: string,
  content: string | Uint8Array,
): Promise<WrittenFile[]> {
  const bytes = Buffer.from(content)
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  const brotli = await putPlain(writer, `${path}.br`, brotliCompressSync(bytes, { params }))
  const gzip = await putPlain(writer, `${path}.gz`, gzipSync(bytes, { level: GZIP_LEVEL }))
  return [await putPlain(writer, path, bytes), gzip, brotli]
}
