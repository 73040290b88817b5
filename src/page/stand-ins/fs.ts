/// <reference lib="webworker" />
// What the program uses of node:fs to read, over files that a person gave to the page. A worker reads them at once,
// as Node does.

/** Files by their absolute paths, or what is in them; null for a folder that is named itself. */
export type Given = ReadonlyMap<string, Blob | ArrayBuffer | null>

let files: Given = new Map()
let folders = new Map<string, Set<string>>()
/** What comes with the page, by the end of its URL: the styles of a report. */
let own: Readonly<Record<string, string>> = {}

/** Lays files where all that reads here finds them. */
export function mount(given: Given, ofPage: Readonly<Record<string, string>>): void {
  files = given
  own = ofPage
  folders = new Map([['/', new Set()]])
  for (const [path, blob] of given) {
    if (blob === null && !folders.has(path)) folders.set(path, new Set())
    for (let at = path.lastIndexOf('/'), end = path.length; at >= 0; ) {
      const folder = path.slice(0, at) || '/'
      const names = folders.get(folder) ?? new Set()
      folders.set(folder, names.add(path.slice(at + 1, end)))
      end = at
      at = at === 0 ? -1 : path.lastIndexOf('/', at - 1)
    }
  }
}

function failure(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code, path, syscall: 'open' })
}

const no = () => false
const KINDS = { isSymbolicLink: no, isFIFO: no, isSocket: no }

function stat(path: string) {
  const blob = files.get(path)
  const isFolder = folders.has(path)
  if (!blob && !isFolder) throw failure('ENOENT', path)
  const mtimeMs = blob instanceof File ? blob.lastModified : 0
  const kind = { isFile: () => !isFolder, isDirectory: () => isFolder }
  return { ...KINDS, ...kind, size: blob ? sizeOf(blob) : 0, mtimeMs }
}

export { stat as lstatSync, stat as statSync }

export const existsSync = (path: string): boolean => files.has(path) || folders.has(path)

type Entry = ReturnType<typeof stat> & { readonly name: string }

export function readdirSync(path: string): string[]
export function readdirSync(path: string, options: { readonly withFileTypes: true }): Entry[]
export function readdirSync(path: string, options?: object): (string | Entry)[] {
  const names = folders.get(path)
  if (names === undefined) throw failure(files.has(path) ? 'ENOTDIR' : 'ENOENT', path)
  if (options === undefined) return [...names]
  return [...names].map((name) => ({ name, ...stat(`${path}/${name}`) }))
}

export function opendirSync(path: string) {
  const entries = readdirSync(path, { withFileTypes: true }).values()
  return { readSync: () => entries.next().value ?? null, closeSync: () => undefined }
}

/** So much is read from a file at a time. */
const PIECE = 4_194_304

interface Opened {
  readonly path: string
  readonly blob: Blob | ArrayBuffer
  at: number
  pieceAt: number
  piece: Uint8Array
}

const opened = new Map<number, Opened>()
let last = 2

export function openSync(path: string): number {
  const blob = files.get(path)
  if (!blob) throw failure(folders.has(path) ? 'EISDIR' : 'ENOENT', path)
  last++
  opened.set(last, { path, blob, at: 0, pieceAt: 0, piece: new Uint8Array() })
  return last
}

const openedAs = (descriptor: number): Opened => opened.get(descriptor) as Opened

export const fstatSync = (descriptor: number) => stat(openedAs(descriptor).path)

export const closeSync = (descriptor: number): boolean => opened.delete(descriptor)

/** From where the last reading ended. */
export function readSync(
  descriptor: number,
  into: Uint8Array,
  offset: number,
  length: number,
): number {
  const file = openedAs(descriptor)
  if (file.at >= file.pieceAt + file.piece.length || file.at < file.pieceAt) {
    file.pieceAt = file.at
    file.piece = bytesOf(file.blob.slice(file.at, file.at + PIECE), file.path)
  }
  const from = file.at - file.pieceAt
  const part = file.piece.subarray(from, from + length)
  into.set(part, offset)
  file.at += part.length
  return part.length
}

const sizeOf = (blob: Blob | ArrayBuffer): number =>
  blob instanceof Blob ? blob.size : blob.byteLength

function bytesOf(blob: Blob | ArrayBuffer, path: string): Uint8Array {
  if (blob instanceof ArrayBuffer) return new Uint8Array(blob)
  try {
    return new Uint8Array(new FileReaderSync().readAsArrayBuffer(blob))
  } catch {
    // It is gone, or was changed since it was given.
    throw failure('EIO', path)
  }
}

export function readFileSync(path: string | URL): string {
  if (typeof path === 'string') {
    return new TextDecoder().decode(bytesOf(files.get(path) ?? new Blob(), path))
  }
  const name = Object.keys(own).find((each) => path.pathname.endsWith(each))
  if (name === undefined) throw failure('ENOENT', path.pathname)
  return own[name] as string
}

export const realpathSync = (path: string): string => path

export const constants = { O_RDONLY: 0 }

/** The page writes nothing, anywhere. */
const refused = (): never => {
  throw new Error('nothing is written here')
}

export {
  refused as chmodSync,
  refused as fchmodSync,
  refused as fchownSync,
  refused as fsyncSync,
  refused as linkSync,
  refused as mkdirSync,
  refused as readlinkSync,
  refused as renameSync,
  refused as rmdirSync,
  refused as rmSync,
  refused as unlinkSync,
  refused as writeFileSync,
}
