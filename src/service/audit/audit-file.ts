import { constants } from 'node:fs'
import { type FileHandle, lstat, open, rename, stat, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createFolderSync } from '../../files/new-folder.js'
import type { ServiceSettings } from '../config/settings.js'

/** When an audit file is rotated, and how many rotated files are kept: PATH.1 is the youngest. */
export type AuditSettings = Pick<
  ServiceSettings,
  'auditPath' | 'auditMaxBytes' | 'auditBackups' | 'auditMaxAgeDays'
>

const MS_PER_DAY = 86_400_000
const NEWLINE = 0x0a
/** Size of the pieces in which files are read. */
const PIECE_BYTES = 65_536
/** O_NONBLOCK: a pipe without a reader fails at once and does not block a thread. */
const { O_APPEND, O_CREAT, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants
const APPEND = O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK
const READ = O_RDONLY | O_NONBLOCK
const NOTHING = Buffer.alloc(0)

/**
 * The current audit file. Appends whole lines, and rotates the file when it is full or old. All methods may reject
 * with errors of the file system; the next call starts over.
 */
export class AuditFile {
  private handle: FileHandle | undefined
  private inode = 0
  /** A device or a pipe is never full, never old, and stays where it is. */
  private regular = true
  private size = 0
  /** When the oldest line was written; 0 while the file is empty. */
  private oldest = 0
  /** The rest of a line of which a full pipe took only the beginning; it must be written first. */
  private rest: Buffer = NOTHING

  private readonly path: string
  private readonly maxAgeMs: number

  /** @param removed called with the number of lines in a removed file. */
  constructor(
    private readonly settings: AuditSettings,
    private readonly removed: (lines: number) => void,
  ) {
    this.path = settings.auditPath
    this.maxAgeMs = settings.auditMaxAgeDays * MS_PER_DAY
  }

  /** Bytes that still fit. A line longer than a whole file is written anyway. */
  room(): number {
    if (!this.regular) return Number.POSITIVE_INFINITY
    return Math.max(0, this.settings.auditMaxBytes - this.size)
  }

  get empty(): boolean {
    return this.size === 0
  }

  /** Opens the file, or reopens it if its name now belongs to another file or to none. */
  async ready(now: number): Promise<void> {
    if (this.handle !== undefined) {
      const named = await stat(this.path).catch(() => undefined)
      if (named?.ino !== this.inode) await this.close()
    }
    if (this.handle === undefined) await this.open()
    const tooOld = this.oldest > 0 && now - this.oldest >= this.maxAgeMs
    const full = this.size > 0 && this.room() === 0
    if (this.regular && (tooOld || full)) await this.rotate()
  }

  /**
   * Appends whole lines. If not all bytes fit, a file is cut back to its last whole line. A pipe cannot be cut, so
   * the rest of its last line is kept for the next call.
   * @returns how many bytes were taken: all, or at least one whole line.
   */
  async append(bytes: Buffer, now: number): Promise<number> {
    const ended = await this.write(this.rest)
    this.rest = this.rest.subarray(ended.written)
    if (this.rest.length > 0) throw ended.cause
    const { written, cause } = await this.write(bytes)
    if (written === 0 && bytes.length > 0) throw cause
    const end = this.regular
      ? bytes.lastIndexOf(NEWLINE, written - 1)
      : bytes.indexOf(NEWLINE, written - 1)
    const accepted = end + 1
    if (accepted < written) await this.handle!.truncate(this.size + accepted)
    if (accepted === 0) throw cause
    this.rest = bytes.subarray(written, Math.max(written, accepted))
    this.size += accepted
    if (this.oldest === 0) this.oldest = now
    return accepted
  }

  /** Writes as much as the file takes, and returns why it stopped early. */
  private async write(bytes: Buffer): Promise<{ written: number; cause?: unknown }> {
    let written = 0
    try {
      while (written < bytes.length) {
        const left = bytes.length - written
        written += (await this.handle!.write(bytes, written, left, null)).bytesWritten
      }
      return { written }
    } catch (cause) {
      return { written, cause }
    }
  }

  /**
   * Renames every file to the next number, up to the first free one; without a free number the last file is deleted
   * first. Deleting first avoids renames over existing files, which some file systems (such as ext4) flush to disk
   * while requests wait. After a failure a number stays free, so the next try deletes no further file.
   */
  async rotate(): Promise<void> {
    await this.close()
    const backups = this.settings.auditBackups
    let free = 1
    while (free <= backups && (await exists(`${this.path}.${free}`))) free++
    if (backups > 0 && free > backups) {
      free = backups
      await this.remove(`${this.path}.${free}`)
    }
    for (let number = free; number > 1; number--) {
      await rename(`${this.path}.${number - 1}`, `${this.path}.${number}`)
    }
    if (backups > 0) await rename(this.path, `${this.path}.1`).catch(ignoreMissing)
    else await this.remove(this.path)
    await this.open()
  }

  /** Removes rotated files whose youngest line is older than the age limit. */
  async prune(now: number): Promise<void> {
    for (let number = 1; number <= this.settings.auditBackups; number++) {
      const path = `${this.path}.${number}`
      const { mtimeMs = now } = (await stat(path).catch(() => undefined)) ?? {}
      if (now - mtimeMs >= this.maxAgeMs) await this.remove(path)
    }
  }

  private async remove(path: string): Promise<void> {
    const lines = await countLines(path).catch(() => 0)
    await unlink(path)
    this.removed(lines)
  }

  async close(): Promise<void> {
    const handle = this.handle
    this.handle = undefined
    await handle?.close()
  }

  private async open(): Promise<void> {
    const handle = await openForAppending(this.path).catch((cause) => {
      ignoreMissing(cause)
      // An error means that the file system responds.
      createFolderSync(dirname(this.path))
      return openForAppending(this.path)
    })
    this.handle = handle
    this.rest = NOTHING
    const stats = await handle.stat()
    this.inode = stats.ino
    this.regular = stats.isFile()
    this.size = this.regular ? await cutTornLine(this.path, handle, stats.size) : 0
    this.oldest = this.size === 0 ? 0 : await readFirstTime(this.path, stats.mtimeMs)
  }
}

/** Only the user and group of the service may read the audit. */
function openForAppending(path: string): Promise<FileHandle> {
  return open(path, APPEND, 0o640)
}

async function exists(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(ignoreMissing)
  return stats !== undefined
}

function ignoreMissing(cause: NodeJS.ErrnoException): void {
  if (cause.code !== 'ENOENT') throw cause
}

/**
 * Cuts off half a line that a killed process or a power failure left, so that the next line starts on its own line.
 */
async function cutTornLine(path: string, handle: FileHandle, size: number): Promise<number> {
  if (size === 0) return 0
  let end = size
  await withFile(path, async (file) => {
    const buffer = Buffer.alloc(PIECE_BYTES)
    while (end > 0) {
      const start = Math.max(0, end - PIECE_BYTES)
      const { bytesRead } = await file.read(buffer, 0, end - start, start)
      const newline = buffer.subarray(0, bytesRead).lastIndexOf(NEWLINE)
      if (newline >= 0) {
        end = start + newline + 1
        return
      }
      end = start
    }
  })
  if (end < size) await handle.truncate(end)
  return end
}

/** The time of the first line, or the default if it cannot be read. */
async function readFirstTime(path: string, fallback: number): Promise<number> {
  return await withFile(path, async (file) => {
    const buffer = Buffer.alloc(256)
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0)
    const match = /"timestamp":"([^"]+)"/.exec(buffer.toString('latin1', 0, bytesRead))
    const time = Date.parse(match?.[1] ?? '')
    return Number.isNaN(time) ? fallback : time
  })
}

async function countLines(path: string): Promise<number> {
  return await withFile(path, async (file) => {
    const buffer = Buffer.alloc(PIECE_BYTES)
    let lines = 0
    for (;;) {
      const { bytesRead } = await file.read(buffer)
      if (bytesRead === 0) return lines
      const read = buffer.subarray(0, bytesRead)
      for (let at = read.indexOf(NEWLINE); at >= 0; at = read.indexOf(NEWLINE, at + 1)) lines++
    }
  })
}

async function withFile<T>(path: string, read: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, READ)
  try {
    return await read(file)
  } finally {
    await file.close()
  }
}
