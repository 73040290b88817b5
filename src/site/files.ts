import { hash } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { ForeproofError } from '../contract/error.js'

/** Where half-written files wait when a site is built in place; never part of the site. */
export const WAITING_FOLDER = '.foreproof-waiting'

// Higher levels take several times as long for a tenth off the size, and a first build compresses
// every page; of the brotli qualities the next one up is slower and no smaller on such pages.
const GZIP_LEVEL = 2
const BROTLI_QUALITY = 1

export interface Target {
  readonly folder: string
  /** Readers see this folder already: every file must come whole, by a rename. */
  readonly visible: boolean
  /** Nothing is in the folder yet, so there is nothing to take away before a file is made. */
  readonly empty: boolean
  /** Whether to wait until the disk has the bytes. */
  readonly durable: boolean
  /** Another folder that is to hold the same files, shared rather than copied. */
  readonly twin: string | undefined
}

export type EncodedFile = readonly [path: string, bytes: Uint8Array]

export interface WrittenFile {
  readonly path: string
  readonly sha256: string
}

/** A text with its compressed copies; the bytes depend on nothing but the text. */
export function encodings(path: string, bytes: Uint8Array): EncodedFile[] {
  const brotli = brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  })
  return [
    [path, bytes],
    [`${path}.gz`, gzipSync(bytes, { level: GZIP_LEVEL })],
    [`${path}.br`, brotli],
  ]
}

/** Writes one file. What the name stood for before is left alone: it may be shared by a link. */
export function putFile(
  { folder, visible, empty, durable, twin }: Target,
  path: string,
  bytes: Uint8Array,
) {
  const final = join(folder, path)
  const waiting = join(folder, WAITING_FOLDER, basename(path))
  if (!visible && !empty) remove(final)
  const descriptor = openSync(visible ? waiting : final, visible ? 'w' : 'wx')
  try {
    writeFileSync(descriptor, bytes)
    if (durable) fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  if (visible) renameSync(waiting, final)
  if (twin !== undefined) link(final, join(twin, path))
}

/** What a file system without hard links answers, and what one has that allows a file no more names. */
const NO_LINK = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EXDEV', 'EMLINK'])

/** @throws {ForeproofError} `refused` where files cannot have two names. */
function link(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (cause) {
    throw linkFault(cause, to)
  }
}

/** Says what to do where it is links that are refused; any other fault stays what it is. */
export function linkFault(cause: unknown, file: string): unknown {
  const { code } = cause as NodeJS.ErrnoException
  if (code === undefined || !NO_LINK.has(code)) return cause
  return new ForeproofError('refused', `${file}: no hard link can be made here (${code})`, {
    file,
    help: 'Name a folder on a file system that has them, or build with --in-place, which needs none.',
    cause,
  })
}

/** Makes a folder of the site for files to come. */
export function makeFolder({ folder, twin }: Pick<Target, 'folder' | 'twin'>, path: string): void {
  mkdirSync(join(folder, path), { recursive: true })
  if (twin !== undefined) mkdirSync(join(twin, path), { recursive: true })
}

/** Writes a text and its compressed copies. */
export function putEncoded(target: Target, path: string, bytes: Uint8Array): WrittenFile[] {
  const files = encodings(path, bytes)
  putAll(target, files)
  return digestsOf(files)
}

/** Writes a text with its copies, the copies first. */
export function putAll(target: Target, files: readonly EncodedFile[]): void {
  for (const [path, bytes] of files.toReversed()) putFile(target, path, bytes)
}

export function digestsOf(files: readonly EncodedFile[]): WrittenFile[] {
  return files.map(([path, bytes]) => ({ path, sha256: sha256(bytes) }))
}

export function sha256(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex')
}

/** Removes a file that may not be there. */
export function remove(path: string): void {
  try {
    unlinkSync(path)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause
  }
}

/** Every file below a folder, as paths from it. */
export function filesBelow(folder: string, at = ''): string[] {
  const found: string[] = []
  for (const entry of readdirSync(join(folder, at), { withFileTypes: true })) {
    const path = at === '' ? entry.name : `${at}/${entry.name}`
    if (entry.isDirectory()) found.push(...filesBelow(folder, path))
    else found.push(path)
  }
  return found
}

/** Gives `to` every file of `from`, shared rather than copied. */
export function shareAll(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true })
  const made = new Set<string>()
  mkdirSync(to, { recursive: true })
  for (const path of filesBelow(from)) {
    const parent = dirname(path)
    if (!made.has(parent)) mkdirSync(join(to, parent), { recursive: true })
    made.add(parent)
    link(join(from, path), join(to, path))
  }
}

/** Makes one file of `to` what it is in `from`: the same file, or absent. */
export function share(from: string, to: string, path: string): void {
  remove(join(to, path))
  try {
    mkdirSync(dirname(join(to, path)), { recursive: true })
    link(join(from, path), join(to, path))
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause
  }
}
