import { readFileSync } from 'node:fs'
import { basename } from 'node:path'

/** What a traced program did: to a file of one folder, to that folder, or to a socket. */
export type Change =
  | { readonly is: 'open' | 'unlink' | 'sync'; readonly name: string }
  | { readonly is: 'write'; readonly name: string; readonly at: number; readonly data: Buffer }
  | { readonly is: 'cut'; readonly name: string; readonly size: number }
  | { readonly is: 'sync-folder' }
  | { readonly is: 'sent'; readonly text: string }

/** Options of strace under which `changesIn` reads what a program did; the program is started in strace's own place. */
export const tracedInto = (file: string): string[] => [
  ...['strace', '-D', '-qq', '-y', '-xx', '-s', '200000', '-o', file],
  ...['-e', 'trace=openat,pwrite64,write,writev,ftruncate,fsync,fdatasync,unlink'],
]

const bytes = (hex: string) => Buffer.from(hex.replaceAll('\\x', ''), 'hex')
const textOf = (hex: string) => bytes(hex).toString()

/** The changes of a trace, of files in the folder whose names begin so. */
export function changesIn(trace: string, folder: string, begin: string): Change[] {
  const changes: Change[] = []
  const nameOf = (hex = '') => {
    const path = textOf(hex)
    return path.startsWith(`${folder}/`) ? basename(path) : undefined
  }
  for (const line of readFileSync(trace, 'utf8').split('\n')) {
    const [, call = '', rest = ''] = /^(\w+)\((.*)/.exec(line) ?? []
    if (/= -1 E/.test(rest)) continue
    const [, descriptor = ''] = /^\d+<([^>]*)>/.exec(rest) ?? []
    const [, first = ''] = /"([^"]*)"/.exec(rest) ?? []
    if (call === 'write' || call === 'writev') {
      const parts = [...rest.matchAll(/"([^"]*)"/g)].map(([, hex = '']) => textOf(hex))
      changes.push({ is: 'sent', text: parts.join('') })
      continue
    }
    const isOfPath = call === 'openat' || call === 'unlink'
    if (call.endsWith('sync') && textOf(descriptor) === folder) changes.push({ is: 'sync-folder' })
    const name = nameOf(isOfPath ? first : descriptor)
    if (!name?.startsWith(begin)) continue
    const [, last = ''] = /, (\d+)\) +=/.exec(rest) ?? []
    if (call === 'openat' && rest.includes('O_CREAT')) changes.push({ is: 'open', name })
    if (call === 'unlink') changes.push({ is: 'unlink', name })
    if (call.endsWith('sync')) changes.push({ is: 'sync', name })
    if (call === 'ftruncate') changes.push({ is: 'cut', name, size: Number(last) })
    if (call === 'pwrite64') {
      changes.push({ is: 'write', name, at: Number(last), data: bytes(first) })
    }
  }
  return changes
}

class File {
  /** What is on the disk for sure. */
  kept: Buffer = Buffer.alloc(0)
  /** What may be lost with the power, each change for itself. */
  waiting: Extract<Change, { is: 'write' | 'cut' }>[] = []

  content(isThere: () => boolean): Buffer {
    let content: Buffer = this.kept
    for (const change of this.waiting) {
      if (!isThere()) continue
      if (change.is === 'cut') {
        content = Buffer.concat([content, Buffer.alloc(change.size)]).subarray(0, change.size)
      } else {
        const end = change.at + change.data.length
        const longer = Buffer.alloc(Math.max(content.length, end))
        content.copy(longer)
        change.data.copy(longer, change.at)
        content = longer
      }
    }
    return content
  }
}

/**
 * A disk that keeps what was synced and, of anything else, any part: a file keeps its writes with its own sync, and its name,
 * or that the name is gone, with that of the folder.
 */
export class Disk {
  readonly #names: { kept: Map<string, File>; now: Map<string, File> }

  constructor(files: ReadonlyMap<string, Buffer> = new Map()) {
    const made = [...files].map(([name, content]) => {
      const file = new File()
      file.kept = content
      return [name, file] as const
    })
    this.#names = { kept: new Map(made), now: new Map(made) }
  }

  apply(change: Change): void {
    const { now } = this.#names
    if (change.is === 'sync-folder') this.#names.kept = new Map(now)
    if (change.is === 'open' && !now.has(change.name)) now.set(change.name, new File())
    if (change.is === 'unlink') now.delete(change.name)
    if (change.is === 'write' || change.is === 'cut') now.get(change.name)?.waiting.push(change)
    const file = change.is === 'sync' ? now.get(change.name) : undefined
    if (file === undefined) return
    file.kept = file.content(() => true)
    file.waiting = []
  }

  /** What is found after the power went. @param isThere - of each change that was not synced. */
  after(isThere: (what: 'name' | 'content') => boolean): Map<string, Buffer> {
    const { kept, now } = this.#names
    const found = new Map<string, Buffer>()
    for (const name of new Set([...kept.keys(), ...now.keys()])) {
      const [old, next] = [kept.get(name), now.get(name)]
      const file = old === next || isThere('name') ? next : old
      if (file !== undefined) {
        found.set(
          name,
          file.content(() => isThere('content')),
        )
      }
    }
    return found
  }
}
