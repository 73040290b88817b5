import { falseStore, type ObjectStore, readObjects } from './objects.js'
import { short } from './repository.js'

/** A commit and its parents, as git tells them. */
export interface Commit {
  readonly id: string
  readonly parents: readonly string[]
}

/** Objects asked for in one run of git; bounds memory. */
const BATCH = 1024

/** Reads objects that may be many, each held against its name, and keeps none. */
function* eachObject(store: ObjectStore, oids: Iterable<string>): Generator<[string, Buffer]> {
  const wanted = [...new Set(oids)]
  for (let from = 0; from < wanted.length; from += BATCH) {
    const batch = wanted.slice(from, from + BATCH)
    for (const [index, bytes] of readObjects(store, batch).entries()) {
      yield [batch[index] as string, bytes]
    }
  }
}

/**
 * Whatever made git tell otherwise: the bytes of a commit, which its name is the hash of, say what
 * its parents are.
 * @throws {ForeproofError} `unavailable` when they are others.
 */
export function checkCommits(store: ObjectStore, commits: readonly Commit[]): void {
  const told = new Map(commits.map(({ id, parents }) => [id, parents.join(' ')]))
  for (const [id, bytes] of eachObject(store, told.keys())) {
    if (named(bytes, 'parent').join(' ') !== told.get(id)) {
      throw falseStore(`other parents are told of commit ${short(id)} than it names`)
    }
  }
}

/**
 * Reads the trees of some commits along a folder and below it, so that each is held against its name.
 * @throws {ForeproofError} `unavailable` when one is not what its name says.
 */
export function checkTrees(store: ObjectStore, commits: readonly string[], folder: string): void {
  let trees = new Set<string>()
  for (const [, bytes] of eachObject(store, commits)) {
    for (const root of named(bytes, 'tree')) trees.add(root)
  }
  for (const name of folder.split('/').filter(Boolean)) trees = below(store, trees, name)
  while (trees.size > 0) trees = below(store, trees)
}

function named(commit: Buffer, header: string): string[] {
  const text = commit.toString('latin1')
  const lines = text.slice(0, text.indexOf('\n\n')).split('\n')
  return lines
    .filter((line) => line.startsWith(`${header} `))
    .map((line) => line.slice(header.length + 1))
}

/** The trees inside of some trees: all of them, or those of one name. */
function below(store: ObjectStore, trees: Iterable<string>, wanted?: string): Set<string> {
  const found = new Set<string>()
  const length = store.hash === 'sha1' ? 20 : 32
  for (const [, bytes] of eachObject(store, trees)) {
    for (let at = 0; at < bytes.length; ) {
      const end = bytes.indexOf(0, at)
      // `40000 NAME`, a zero byte, and the id in binary.
      if (bytes[at] === 0x34) {
        const name = bytes.toString('utf8', at + 6, end)
        if (wanted === undefined || name === wanted) {
          found.add(bytes.toString('hex', end + 1, end + 1 + length))
        }
      }
      at = end + 1 + length
    }
  }
  return found
}
