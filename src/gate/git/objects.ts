import { createHash } from 'node:crypto'
import { ForeproofError } from '../../contract/error.js'
import { type Repository, shortId } from './repository.js'
import { git } from './run.js'

/** Where objects are read. */
export type ObjectStore = Pick<Repository, 'top' | 'hash'>

/** Objects per run of git; limits memory. */
const BATCH = 256

/**
 * Reads git objects in the given order, and checks each against its hash, because git itself does not.
 * @throws {ForeproofError} `unavailable` if one is missing or does not match its hash.
 */
export function* readObjects(
  store: ObjectStore,
  oids: readonly string[],
): Generator<[oid: string, bytes: Buffer]> {
  for (let from = 0; from < oids.length; from += BATCH) {
    yield* readBatch(store, oids.slice(from, from + BATCH))
  }
}

function* readBatch(
  { top, hash }: ObjectStore,
  oids: readonly string[],
): Generator<[string, Buffer]> {
  const output = git(top, ['cat-file', '--batch'], `${oids.join('\n')}\n`)
  let at = 0
  for (const oid of oids) {
    const end = output.indexOf(0x0a, at)
    const header = output.subarray(at, end).toString('latin1').split(' ')
    // Ask again for a missing object, to report it with git's own message.
    if (header.length !== 3) git(top, ['cat-file', '-p', oid])
    const [, type = '', size] = header
    const bytes = output.subarray(end + 1, end + 1 + Number(size))
    if (objectName(type, bytes, hash) !== oid)
      throw corruptStoreError(`${type} ${shortId(oid)} is not what its name says`)
    yield [oid, bytes]
    at = end + 1 + bytes.length + 1
  }
}

/** The error if git disagrees with the objects of this clone. */
export function corruptStoreError(message: string): ForeproofError {
  return new ForeproofError('unavailable', `git: ${message}`, {
    help: 'The object store of this clone was damaged or forged. See git fsck, and clone anew.',
  })
}

/** The name git gives to an object of a type (blob, tree, commit, tag) and these bytes. */
export function objectName(type: string, bytes: Uint8Array, hash: 'sha1' | 'sha256'): string {
  return createHash(hash).update(`${type} ${bytes.length}\0`).update(bytes).digest('hex')
}

/** Contents of git objects, read in batches and only once. */
export class Blobs {
  readonly #contents = new Map<string, Buffer>()

  /** @param limit - objects larger than this many bytes are cut to one byte more. */
  constructor(
    private readonly store: ObjectStore,
    private readonly limit: number,
  ) {}

  /** Reads what is not known yet. */
  load(oids: readonly string[]): void {
    const wanted = new Set(oids.filter((oid) => !this.#contents.has(oid)))
    for (const [oid, bytes] of this.each([...wanted])) this.#contents.set(oid, bytes)
  }

  get(oid: string): Buffer {
    if (!this.#contents.has(oid)) this.load([oid])
    return this.#contents.get(oid) as Buffer
  }

  /** Reads without keeping: for looking through many. */
  *each(oids: readonly string[]): Generator<[oid: string, bytes: Buffer]> {
    for (const [oid, bytes] of readObjects(this.store, oids)) {
      // A copy, so that one small blob does not keep a whole batch in memory.
      yield [oid, Buffer.from(bytes.subarray(0, this.limit + 1))]
    }
  }
}

/** A commit and its parents, as git names them. */
export interface Commit {
  readonly id: string
  readonly parents: readonly string[]
}

/**
 * Checks the parents that git reports against the bytes of each commit.
 * @throws {ForeproofError} `unavailable` if they differ.
 */
export function verifyCommits(store: ObjectStore, commits: readonly Commit[]): void {
  const given = new Map(commits.map(({ id, parents }) => [id, parents.join(' ')]))
  for (const [id, bytes] of readObjects(store, [...given.keys()])) {
    if (parseHeader(bytes, 'parent').join(' ') !== given.get(id)) {
      throw corruptStoreError(`commit ${shortId(id)} is said to have other parents than it names`)
    }
  }
}

/**
 * Reads the trees of some commits along and below a folder, which checks each against its hash.
 * @throws {ForeproofError} `unavailable` if one does not match.
 */
export function verifyTrees(store: ObjectStore, commits: readonly string[], folder: string): void {
  let trees = new Set<string>()
  for (const [, bytes] of readObjects(store, [...new Set(commits)])) {
    for (const root of parseHeader(bytes, 'tree')) trees.add(root)
  }
  for (const name of folder.split('/').filter(Boolean)) trees = subtrees(store, trees, name)
  while (trees.size > 0) trees = subtrees(store, trees)
}

function parseHeader(commit: Buffer, header: string): string[] {
  const text = commit.toString('latin1')
  const lines = text.slice(0, text.indexOf('\n\n')).split('\n')
  return lines
    .filter((line) => line.startsWith(`${header} `))
    .map((line) => line.slice(header.length + 1))
}

/** The trees inside of some trees: all of them, or those of one name. */
function subtrees(store: ObjectStore, trees: Iterable<string>, wanted?: string): Set<string> {
  const ids = new Set<string>()
  const length = store.hash === 'sha1' ? 20 : 32
  for (const [, bytes] of readObjects(store, [...trees])) {
    for (let at = 0; at < bytes.length; ) {
      const end = bytes.indexOf(0, at)
      // `40000 NAME`, a zero byte, and the id in binary.
      if (bytes[at] === 0x34) {
        const name = bytes.toString('utf8', at + 6, end)
        if (wanted === undefined || name === wanted) {
          ids.add(bytes.toString('hex', end + 1, end + 1 + length))
        }
      }
      at = end + 1 + length
    }
  }
  return ids
}
