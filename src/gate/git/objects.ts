import { ForeproofError } from '../../contract/error.js'
import { objectName } from './object-name.js'
import { type Repository, short } from './repository.js'
import { git } from './run.js'

/** Where objects are read. */
export type ObjectStore = Pick<Repository, 'top' | 'hash'>

/**
 * The bytes of git objects, each held against its name: git itself gives out what it finds under a
 * name, whatever that is.
 * @throws {ForeproofError} `unavailable` when one is missing, or is not what its name says.
 */
export function readObjects({ top, hash }: ObjectStore, oids: readonly string[]): Buffer[] {
  if (oids.length === 0) return []
  const output = git(top, ['cat-file', '--batch'], `${oids.join('\n')}\n`)
  const contents: Buffer[] = []
  let at = 0
  for (const oid of oids) {
    const end = output.indexOf(0x0a, at)
    const header = output.subarray(at, end).toString('latin1').split(' ')
    // What is missing is asked for again: git's message, and our advice, are those of any failure.
    if (header.length !== 3) git(top, ['cat-file', '-p', oid])
    const [, type = '', size] = header
    const bytes = output.subarray(end + 1, end + 1 + Number(size))
    if (objectName(type, bytes, hash) !== oid)
      throw falseStore(`${type} ${short(oid)} is not what its name says`)
    contents.push(bytes)
    at = end + 1 + bytes.length + 1
  }
  return contents
}

/** What git tells is not what the objects of this clone say. */
export function falseStore(says: string): ForeproofError {
  return new ForeproofError('unavailable', `git: ${says}`, {
    help: 'The object store of this clone was damaged or forged. See git fsck, and clone anew.',
  })
}
