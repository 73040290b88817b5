import { createHash } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { ForeproofError, fileError } from '../contract/error.js'
import { isObject } from '../contract/is-object.js'
import { isDigest } from '../document/digest.js'
import { StagedFolder } from '../files/new-folder.js'
import { piecesOfRegular } from '../files/regular.js'

const MANIFEST_FILE = 'manifest.json'
/** By the version of the protocols whose outcomes they contain. */
export const DATA_FILES = { 1: 'closes.csv', 2: 'releases.csv' } as const

/** The file from which a vintage was made. */
export interface VintageSource {
  /** Its name, without its folder. */
  readonly file: string
  readonly bytes: number
  /** Lowercase hex SHA-256 of the file as it was read. */
  readonly sha256: string
}

interface AnyManifest {
  readonly schema_version: keyof typeof DATA_FILES
  readonly vintage_id: string
  readonly source: string
  /** Lowercase hex SHA-256 of the data, the digest of the vintage. */
  readonly sha256: string
}

/** How to read the data of a kind of vintage, and what its manifest states. */
interface VintageForm<Data, Manifest extends AnyManifest> {
  readonly version: Manifest['schema_version']
  /** @param pieces - the text, in pieces. */
  readonly parse: (pieces: Iterable<string>, file: string) => Data
  /** The pointer of the first invalid member of such a manifest. */
  readonly fault: (value: unknown) => string | undefined
  /**
   * @param given - the manifest beside the data; undefined if there is none.
   */
  readonly manifest: (data: Data, sha256: string, given: Manifest | undefined) => Manifest
  /** The members of a manifest that follow from the data. */
  readonly members: readonly (keyof Manifest & string)[]
}

/** By version: enough for several centuries of hourly closes, and for 100 million releases. */
const MAX_BYTES = { 1: 256 * 1_048_576, 2: 16_384 * 1_048_576 } as const
/** A manifest is far smaller, even with many gaps. */
const MAX_MANIFEST_BYTES = 256 * 1_048_576

const REIMPORT = 'Make it again with: foreproof outcomes import'

/**
 * Reads a vintage: its folder, its manifest.json, or its data. Data without a manifest are read too, and named by their
 * digest. The data must have the digest that the manifest states, and be in normal form except for line ends.
 * @throws {ForeproofError} `not-found`, `io`, or `invalid-input` naming the file and the line.
 */
export function readVintageFiles<Data, Manifest extends AnyManifest>(
  path: string,
  { version, parse, fault, manifest: toManifest, members }: VintageForm<Data, Manifest>,
): { readonly data: Data; readonly manifest: Manifest } {
  const dataFile = DATA_FILES[version]
  const { dataPath, manifestPath } = locateVintage(path, dataFile)
  const text = new VintageText(dataPath, MAX_BYTES[version])
  const data = parse(text.pieces(), dataPath)
  const sha256 = text.sha256()
  if (manifestPath === undefined) return { data, manifest: toManifest(data, sha256, undefined) }
  const manifest = readManifest(manifestPath, fault) as Manifest
  const made = toManifest(data, sha256, manifest)
  const following = ['sha256', ...members, 'vintage_id'] as const
  checkAgreement(manifest, made, following, [manifestPath, dataFile])
  return { data, manifest }
}

/**
 * Checks that a manifest describes its data correctly and has no other members.
 * @throws {ForeproofError} `invalid-input` naming the first member that differs or is missing.
 */
function checkAgreement<T extends object>(
  manifest: T,
  made: T,
  members: readonly (keyof T & string)[],
  [file, data]: readonly [manifest: string, data: string],
): void {
  const unknown = Object.keys(manifest).find((member) => !Object.hasOwn(made, member))
  if (unknown !== undefined) {
    throw faulty(`${unknown} is no member of a manifest`, file, `/${unknown}`)
  }
  const isOther = (member: keyof T) =>
    JSON.stringify(manifest[member]) !== JSON.stringify(made[member])
  const key = members.find(isOther)
  if (key === undefined) return
  if (Array.isArray(made[key])) throw faulty(`${key} are not those of ${data}`, file, `/${key}`)
  const message = `${key} is ${JSON.stringify(manifest[key])}, but that of ${data} is ${made[key]}`
  const help = `One of the two was changed. ${REIMPORT}`
  throw new ForeproofError('invalid-input', message, { file, pointer: `/${key}`, help })
}

/**
 * The path of the data of a vintage, and of its manifest if there is one.
 * @param path - its folder, its manifest, or its data.
 * @throws {ForeproofError} `not-found`, `io`.
 */
function locateVintage(
  path: string,
  dataFile: string,
): { dataPath: string; manifestPath: string | undefined } {
  let folder = dirname(path)
  try {
    if (statSync(path).isDirectory()) folder = path
    else if (basename(path) !== MANIFEST_FILE && basename(path) !== dataFile) {
      return { dataPath: path, manifestPath: undefined }
    }
  } catch (cause) {
    throw fileError(cause, path)
  }
  const manifestPath = join(folder, MANIFEST_FILE)
  const dataPath = join(folder, dataFile)
  if (!existsSync(dataPath)) {
    const help = 'Name the folder that foreproof outcomes import wrote.'
    throw new ForeproofError('not-found', `${path}: holds no ${dataFile}`, { file: path, help })
  }
  if (existsSync(manifestPath)) return { dataPath, manifestPath }
  if (folder !== path) return { dataPath, manifestPath: undefined }
  const message = `${path}: holds no ${MANIFEST_FILE}`
  throw new ForeproofError('not-found', message, { file: path, help: REIMPORT })
}

/** The data of a vintage in its normal form, in pieces of complete lines; a checkout may have changed the line ends. */
class VintageText {
  readonly #hash = createHash('sha256')

  constructor(
    private readonly path: string,
    private readonly limit: number,
  ) {}

  /** @throws {ForeproofError} `not-found`, `io`, or `invalid-input` if it is not text. */
  *pieces(): Generator<string, void, undefined> {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    let rest = ''
    try {
      for (const bytes of piecesOfRegular(this.path, this.limit)) {
        rest += decoder.decode(bytes, { stream: true })
        const end = rest.lastIndexOf('\n') + 1
        if (end === 0) continue
        yield this.#normal(rest.slice(0, end))
        rest = rest.slice(end)
      }
      rest += decoder.decode()
    } catch (cause) {
      if (!(cause instanceof TypeError)) throw fileError(cause, this.path)
      throw faulty('not UTF-8 text', this.path)
    }
    if (rest !== '') yield this.#normal(rest)
  }

  /** Call this once, after the last piece. */
  sha256(): string {
    return this.#hash.digest('hex')
  }

  #normal(text: string): string {
    const normal = text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text
    this.#hash.update(normal)
    return normal
  }
}

const readManifestText = (path: string): string =>
  [...new VintageText(path, MAX_MANIFEST_BYTES).pieces()].join('')

/**
 * @param findFault - returns the pointer of the first invalid member of such a manifest.
 * @throws {ForeproofError} as `VintageText`, and if a member is invalid.
 */
function readManifest(path: string, findFault: (value: unknown) => string | undefined): unknown {
  const text = readManifestText(path)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw faulty(cause instanceof Error ? cause.message : 'not JSON', path)
  }
  const fault = findFault(value)
  if (fault === undefined) return value
  throw faulty(`${fault.slice(1)} is missing or of a wrong type`, path, fault)
}

const faulty = (message: string, file: string, pointer?: string) =>
  new ForeproofError('invalid-input', message, {
    ...{ file, help: REIMPORT },
    ...(pointer !== undefined && { pointer }),
  })

/** The pointer of the first invalid member in a manifest's description of its input file. */
export function inputFault(input: unknown): string | undefined {
  if (input === null) return undefined
  if (!isObject(input)) return '/input'
  const { file, bytes, sha256, format } = input
  if (typeof file !== 'string' || file === '') return '/input/file'
  if (!Number.isSafeInteger(bytes) || Number(bytes) < 0) return '/input/bytes'
  if (!isDigest(sha256)) return '/input/sha256'
  return typeof format === 'string' && format !== '' ? undefined : '/input/format'
}

/** The name of a source as the start of a folder name. */
export function sourceSlug(source: string): string {
  const slug = source.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  return slug.replaceAll(/^-+|-+$/g, '') || 'source'
}

/**
 * Writes a vintage as a folder, atomically. Writing the same vintage again changes nothing.
 * @returns `unchanged` if the folder already holds exactly this vintage.
 * @throws {ForeproofError} `refused` if something else exists there; `io` or `not-found`.
 */
export function writeVintage(
  folder: string,
  manifest: Pick<AnyManifest, 'schema_version' | 'sha256'>,
  data: string | Iterable<string>,
): 'written' | 'unchanged' {
  const dataFile = DATA_FILES[manifest.schema_version]
  const text = `${JSON.stringify(manifest, null, 2)}\n`
  if (isUnchanged(folder, dataFile, manifest, text)) return 'unchanged'
  const staged = new StagedFolder(folder)
  try {
    for (const piece of typeof data === 'string' ? [data] : data) staged.append(dataFile, piece)
    staged.append(MANIFEST_FILE, text)
    staged.commit()
    return 'written'
  } catch (cause) {
    throw occupied(cause) ? folderTaken(folder) : fileError(cause, folder)
  } finally {
    staged.discard()
  }
}

/**
 * @throws {ForeproofError} `refused` if the folder holds something else.
 */
function isUnchanged(
  folder: string,
  dataFile: string,
  { sha256 }: Pick<AnyManifest, 'sha256'>,
  manifestText: string,
): boolean {
  if (!existsSync(folder)) return false
  try {
    const isSame = readManifestText(join(folder, MANIFEST_FILE)) === manifestText
    if (isSame && computeDigest(join(folder, dataFile)) === sha256) return true
  } catch {
    // Not a vintage, or not a folder: the rename reports it. It may replace an empty folder.
    return false
  }
  throw folderTaken(folder)
}

function computeDigest(path: string): string {
  const text = new VintageText(path, MAX_BYTES[2])
  for (const _ of text.pieces());
  return text.sha256()
}

function occupied(cause: unknown): boolean {
  const errno = (cause as { code?: unknown } | null)?.code
  return errno === 'ENOTEMPTY' || errno === 'EEXIST' || errno === 'ENOTDIR' || errno === 'EBUSY'
}

function folderTaken(folder: string): ForeproofError {
  return new ForeproofError('refused', `${folder}: something else is there already`, {
    file: folder,
    help: 'Nothing was written. Choose another folder with --out; vintages are never replaced.',
  })
}

/** The rows of a table in normal form, each with its line. @param pieces - of complete lines. @throws {ForeproofError} `invalid-input`. */
export function* normalRows(
  pieces: Iterable<string>,
  header: string,
  file: string,
): Generator<readonly [row: string, line: number]> {
  let line = 0
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; ) {
      line++
      const end = piece.indexOf('\n', at)
      const row = piece.slice(at, end === -1 ? undefined : end)
      if (line === 1 && (row !== header || end === -1)) {
        notNormal(file, 1, `the header is not ${header}`)
      }
      if (end === -1) notNormal(file, line, 'the last line has no line break: it may be cut off')
      if (line > 1) yield [row, line]
      at = end + 1
    }
  }
  if (line === 0) notNormal(file, 1, `the header is not ${header}`)
}

/** @throws {ForeproofError} always. */
export function notNormal(file: string, line: number, message: string): never {
  throw new ForeproofError('invalid-input', message, {
    file,
    position: { line, column: 1 },
    help: 'A vintage is what foreproof outcomes import writes: import this file first.',
  })
}
