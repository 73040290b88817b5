/// <reference lib="webworker" />
// The functions of node:fs for reading that the program uses, for files that the user gave to the page. A worker reads
// them synchronously, as Node does.

/** Files by absolute path, as a Blob or as their content; null for a folder that was given itself. */
export type Given = ReadonlyMap<string, Blob | ArrayBuffer | null>

interface Mounted {
  readonly files: Given
  /** The names in each folder. */
  readonly folders: ReadonlyMap<string, ReadonlySet<string>>
  /** Files that the page contains, by the end of their URL: the styles of a report. */
  readonly own: Readonly<Record<string, string>>
}

// Global, because readers import functions of node:fs by name, so a file system cannot be passed to them.
let mounted: Mounted = { files: new Map(), folders: new Map(), own: {} }

/** Makes files available to everything that reads here. */
export function mount(files: Given, own: Mounted['own']): void {
  mounted = { files, folders: listFolders(files), own }
}

function listFolders(files: Given): Mounted['folders'] {
  const folders = new Map<string, Set<string>>([['/', new Set()]])
  for (const [path, blob] of files) {
    if (blob === null && !folders.has(path)) folders.set(path, new Set())
    const parts = path.split('/')
    for (const [at, name] of parts.entries()) {
      if (at === 0) continue
      const folder = parts.slice(0, at).join('/') || '/'
      folders.set(folder, (folders.get(folder) ?? new Set()).add(name))
    }
  }
  return folders
}

function failure(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code, path, syscall: 'open' })
}

const no = () => false
const KINDS = { isSymbolicLink: no, isFIFO: no, isSocket: no }

function stat(path: string) {
  const blob = mounted.files.get(path)
  const isFolder = mounted.folders.has(path)
  if (!blob && !isFolder) throw failure('ENOENT', path)
  const mtimeMs = blob instanceof File ? blob.lastModified : 0
  const kind = { isFile: () => !isFolder, isDirectory: () => isFolder }
  return { ...KINDS, ...kind, size: blob ? getSize(blob) : 0, mtimeMs }
}

export { stat as lstatSync, stat as statSync }

export const existsSync = (path: string): boolean =>
  mounted.files.has(path) || mounted.folders.has(path)

type Entry = ReturnType<typeof stat> & { readonly name: string }

export function readdirSync(path: string): string[]
export function readdirSync(path: string, options: { readonly withFileTypes: true }): Entry[]
export function readdirSync(path: string, options?: object): (string | Entry)[] {
  const names = mounted.folders.get(path)
  if (names === undefined) throw failure(mounted.files.has(path) ? 'ENOTDIR' : 'ENOENT', path)
  if (options === undefined) return [...names]
  return [...names].map((name) => ({ name, ...stat(`${path}/${name}`) }))
}

export function opendirSync(path: string) {
  const entries = readdirSync(path, { withFileTypes: true }).values()
  return { readSync: () => entries.next().value ?? null, closeSync: () => undefined }
}

/** Bytes read from a file at a time. */
const PIECE = 4_194_304

/** Replaces a file descriptor. */
interface Opened {
  readonly path: string
  readonly blob: Blob | ArrayBuffer
  /** The end of what was read ahead, and the part of it that was not consumed yet. */
  end: number
  ahead: Uint8Array
}

export function openSync(path: string): Opened {
  const blob = mounted.files.get(path)
  if (!blob) throw failure(mounted.folders.has(path) ? 'EISDIR' : 'ENOENT', path)
  return { path, blob, end: 0, ahead: new Uint8Array() }
}

export const fstatSync = ({ path }: Opened) => stat(path)

export const closeSync = (): void => undefined

/** Continues at the end of the last read. */
export function readSync(file: Opened, into: Uint8Array, offset: number, length: number): number {
  if (file.ahead.length === 0) {
    file.ahead = readBytes(file.blob.slice(file.end, file.end + PIECE), file.path)
    file.end += file.ahead.length
  }
  const part = file.ahead.subarray(0, length)
  into.set(part, offset)
  file.ahead = file.ahead.subarray(part.length)
  return part.length
}

const getSize = (blob: Blob | ArrayBuffer): number =>
  blob instanceof Blob ? blob.size : blob.byteLength

function readBytes(blob: Blob | ArrayBuffer, path: string): Uint8Array {
  if (blob instanceof ArrayBuffer) return new Uint8Array(blob)
  try {
    return new Uint8Array(new FileReaderSync().readAsArrayBuffer(blob))
  } catch {
    // The file is gone, or has changed since it was given.
    throw failure('EIO', path)
  }
}

export function readFileSync(path: string | URL): string {
  if (typeof path === 'string') {
    return new TextDecoder().decode(readBytes(mounted.files.get(path) ?? new Blob(), path))
  }
  const text = Object.entries(mounted.own).find(([name]) => path.pathname.endsWith(name))?.[1]
  if (text === undefined) throw failure('ENOENT', path.pathname)
  return text
}

export const realpathSync = (path: string): string => path

export const constants = { O_RDONLY: 0 }

/** The page never writes. */
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
