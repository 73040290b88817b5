import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { ForeproofError, fileError } from '../contract/error.js'
import { showsSecret, withoutSecrets } from '../contract/secrets.js'
import { AtomicFile, syncFolder } from './atomic.js'
import { removeLeftovers, temporaryName } from './temporary.js'

/** @throws {ForeproofError} `refused` if the name is in use. */
export function assertNewFolder(out: string): void {
  if (!existsSync(out)) return
  const help = `Nothing was overwritten. Choose a folder other than ${basename(resolve(out))}.`
  throw new ForeproofError('refused', `${out}: already exists`, { file: out, help })
}

/**
 * Writes a folder with the given files, completely or not at all. An existing empty folder is used.
 * @throws {ForeproofError} as `StagedFolder`; `refused` when something else has the name.
 */
export function writeNewFolder(out: string, files: Readonly<Record<string, string>>): void {
  const staged = new StagedFolder(out)
  try {
    for (const [name, text] of Object.entries(files)) staged.put(name, text)
    staged.commit()
  } catch (cause) {
    throw fileError(cause, out)
  } finally {
    staged.discard()
  }
}

/**
 * A folder that appears completely or not at all. It is filled under a temporary name and renamed when everything is
 * on disk.
 */
export class StagedFolder {
  /** The temporary folder until `commit`. */
  readonly staging: string
  readonly #path: string
  readonly #durable: boolean
  readonly #files = new Map<string, number>()
  readonly #folders = new Set<string>()

  /**
   * Begins the folder, and creates its parents. Set durable to false if it can be made again: syncing each of
   * thousands of files takes minutes.
   * @throws {ForeproofError} `not-found` or `io` when no folder can be made there.
   */
  constructor(out: string, { durable = true } = {}) {
    this.#path = resolve(out)
    this.#durable = durable
    assertFolder(dirname(this.#path), 'Name a new folder inside an existing one.')
    removeLeftovers(this.#path)
    this.staging = temporaryName(this.#path)
    try {
      mkdirSync(this.staging)
    } catch (cause) {
      throw fileError(cause, out)
    }
  }

  /**
   * Creates a file or appends to it, and creates its folders.
   * @throws {ForeproofError} `io`, by the name that the file will have.
   */
  readonly append = (name: string, content: string | Uint8Array): void => {
    try {
      writeFileSync(this.#open(name), content)
    } catch (cause) {
      throw fileError(cause, join(this.#path, name))
    }
  }

  /**
   * Writes a complete file. Use it for many files, because those of `append` stay open until the end.
   * @throws {ForeproofError} as `append`.
   */
  readonly put = (name: string, content: string | Uint8Array): void => {
    try {
      const descriptor = this.#make(name)
      try {
        writeFileSync(descriptor, content)
        if (this.#durable) fsyncSync(descriptor)
      } finally {
        closeSync(descriptor)
      }
    } catch (cause) {
      throw fileError(cause, join(this.#path, name))
    }
  }

  /**
   * Renames the folder to its final name, over at most an empty folder.
   * @throws the error of the system.
   */
  commit(): void {
    for (const descriptor of this.#files.values()) fsyncSync(descriptor)
    this.#close()
    if (this.#durable) for (const folder of this.#folders) syncFolder(folder)
    syncFolder(this.staging)
    renameSync(this.staging, this.#path)
    syncFolder(dirname(this.#path))
  }

  /** Removes the temporary folder; does nothing after `commit`. */
  discard(): void {
    this.#close()
    try {
      rmSync(this.staging, { recursive: true, force: true })
    } catch {
      // The earlier error is the one to report.
    }
  }

  #open(name: string): number {
    const opened = this.#files.get(name)
    if (opened !== undefined) return opened
    const descriptor = this.#make(name)
    this.#files.set(name, descriptor)
    return descriptor
  }

  /** Opens a new file, with the folders that it lies in. */
  #make(name: string): number {
    const path = join(this.staging, name)
    const folder = dirname(path)
    if (folder !== this.staging && !this.#folders.has(folder)) {
      createFolderSync(folder, (made) => this.#folders.add(made))
    }
    return openSync(path, 'wx')
  }

  #close(): void {
    for (const descriptor of this.#files.values()) closeSync(descriptor)
    this.#files.clear()
  }
}

/**
 * Creates files and their folders: all or none. Nothing is overwritten.
 * @throws {ForeproofError} `refused` with the names of existing files; `io` if they cannot be written.
 */
export function createAll(
  files: readonly { readonly path: string; readonly text: string }[],
): void {
  const existing = files.map(({ path }) => path).filter(folderExists)
  if (existing.length > 0) {
    const are = existing.length === 1 ? 'is' : 'are'
    throw new ForeproofError('refused', `in the way ${are} ${existing.join(', ')}`, {
      help: 'Nothing was written. Move what is in the way, or choose another folder.',
    })
  }
  const undo: (() => void)[] = []
  try {
    for (const { path } of files) {
      const help = 'Nothing was written. Move it, or choose another folder.'
      assertFolder(dirname(path), help, (made) => undo.push(() => rmdirSync(made)))
    }
    const begun = files.map(({ path, text }) => {
      const file = new AtomicFile(path)
      undo.push(() => file.discard())
      file.write(text)
      return { file, path }
    })
    for (const { file, path } of begun) {
      file.create()
      undo.push(() => unlinkSync(path))
    }
  } catch (cause) {
    for (const step of undo.reverse()) ignoreErrors(step)
    throw cause
  }
}

/** Also for a symbolic link that leads nowhere. */
function folderExists(path: string): boolean {
  try {
    lstatSync(path)
    return true
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return false
    throw fileError(cause, path)
  }
}

function ignoreErrors(step: () => void): void {
  try {
    step()
  } catch {
    // The first error is the one to report.
  }
}

/**
 * Creates a folder and its parents. Each is tried at most twice, because Node's `recursive` loops forever if the
 * system reports ENOENT for an existing folder, as `/proc` does.
 * @param made called with each created folder.
 * @throws the error of the system; `EEXIST` if a file has the name.
 * @throws {ForeproofError} `usage` for an address: its password would be the name of a folder.
 */
export function createFolderSync(folder: string, made?: (folder: string) => void): void {
  if (showsSecret(folder) && !existsSync(folder)) {
    throw new ForeproofError('usage', `${withoutSecrets(folder)}: is an address, not a folder`, {
      help: 'Name a folder.',
    })
  }
  const above = dirname(folder)
  let cause = tryMakeFolder(folder, made)
  if (cause?.code === 'ENOENT' && above !== folder) {
    createFolderSync(above, made)
    cause = tryMakeFolder(folder, made)
  }
  if (cause !== undefined) throw cause
}

/**
 * The same, with errors for users.
 * @param help what to do if a file has the name.
 * @throws {ForeproofError} `not-found` if a file has the name, `io`.
 */
export function assertFolder(folder: string, help: string, made?: (folder: string) => void): void {
  try {
    createFolderSync(folder, made)
  } catch (cause) {
    // Node reports EEXIST if a file has the name of the folder.
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw fileError(cause, folder)
    const message = `${folder}: is a file, not a folder`
    throw new ForeproofError('not-found', message, { file: folder, help, cause })
  }
}

/** Why the folder could not be created; undefined if it exists. */
function tryMakeFolder(
  folder: string,
  made: ((folder: string) => void) | undefined,
): NodeJS.ErrnoException | undefined {
  try {
    mkdirSync(folder)
    made?.(folder)
    return undefined
  } catch (cause) {
    const error = cause as NodeJS.ErrnoException
    const isThere = error.code === 'EEXIST' && statSync(folder).isDirectory()
    return isThere ? undefined : error
  }
}
