import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { sha256Hex } from '../../document/digest.js'
import { withEncodings } from '../layout.js'
import type { SiteWriter } from './site-writer.js'

// A first build compresses every page. Higher levels take several times as long and save a tenth of the size; the next
// brotli quality is slower and no smaller on such pages.
const GZIP_LEVEL = 2
const BROTLI_QUALITY = 1

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/** A file of a site with the digest of its bytes. */
export interface WrittenFile {
  readonly path: string
  readonly sha256: string
}

/** Writes a file without compressed copies. */
export async function putPlain(
  writer: SiteWriter,
  path: string,
  content: string | Uint8Array,
): Promise<WrittenFile> {
  const bytes = Buffer.from(content)
  await writer.put(path, bytes)
  return { path, sha256: sha256Hex(bytes) }
}

/** Writes a text and its compressed copies, the copies first. Their bytes depend only on the text. */
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
  const [brotli, gzipped] = await Promise.all([
    compressBrotli(bytes, { params }),
    compressGzip(bytes, { level: GZIP_LEVEL }),
  ])
  const copies = [
    await putPlain(writer, `${path}.gz`, gzipped),
    await putPlain(writer, `${path}.br`, brotli),
  ]
  return [await putPlain(writer, path, bytes), ...copies]
}

/** The files of a new site except its kept pages: those that a build writes, and others that it keeps. */
export class BuildFiles {
  /** In the order of writing. */
  readonly written: WrittenFile[]
  readonly kept: string[]

  /** @param before digests of the previous build's files that can be kept, by path. */
  constructor(
    private readonly staged: SiteWriter,
    readonly before: ReadonlyMap<string, string>,
    { written, kept }: Pick<BuildFiles, 'written' | 'kept'> = { written: [], kept: [] },
  ) {
    this.written = written
    this.kept = kept
  }

  /** Writes a file, unless the previous build has the same. */
  async put(path: string, bytes: Uint8Array): Promise<void> {
    if (this.before.get(path) === sha256Hex(bytes)) this.kept.push(path)
    else this.written.push(await putPlain(this.staged, path, bytes))
  }

  /** Writes a file with compressed copies, unless the previous build has the same. */
  async putWithCopies(path: string, text: string): Promise<void> {
    if (this.before.get(path) === sha256Hex(text)) this.kept.push(...withEncodings(path))
    else await this.write(path, text)
  }

  /** Writes a file and its compressed copies, replacing existing ones. */
  async write(path: string, content: string | Uint8Array): Promise<void> {
    this.written.push(...(await putEncoded(this.staged, path, content)))
  }

  /** The paths of all files. */
  paths(): Set<string> {
    return new Set([...this.kept, ...this.written.map(({ path }) => path)])
  }
}
