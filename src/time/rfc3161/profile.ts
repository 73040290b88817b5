import { BitString } from 'asn1js'
import { BasicConstraints, ExtKeyUsage } from 'pkijs'
import { bitsOf, expectParts, present, reading, treeOf } from './asn1.js'
import type { Certificate } from './certificate.js'
import { Malformed, octetsOf } from './der.js'

const BASIC_CONSTRAINTS = '2.5.29.19'
const KEY_USAGE = '2.5.29.15'
const EXTENDED_KEY_USAGE = '2.5.29.37'
/**
 * Extensions that may be critical: the three above are checked; alternative names and policies limit
 * nothing here, since no name and no policy is asked for.
 */
const UNDERSTOOD = new Set([
  BASIC_CONSTRAINTS,
  KEY_USAGE,
  EXTENDED_KEY_USAGE,
  '2.5.29.17',
  '2.5.29.18',
  '2.5.29.32',
])

/** Bits of the key usage (RFC 5280, 4.2.1.3). */
export const USAGE = { digitalSignature: 0, nonRepudiation: 1, keyCertSign: 5, crlSign: 6 } as const

/** What the extensions of a certificate allow it. */
export interface Profile {
  readonly isAuthority: boolean
  /** How many certificates may stand between it and the signer's. */
  readonly pathLength: number
  /** Numbers of bits; undefined where the certificate does not restrict its key. */
  readonly usage: readonly number[] | undefined
  readonly purposes: readonly string[] | undefined
  readonly purposesCritical: boolean
  /** Critical extensions that nothing here knows. */
  readonly notUnderstood: readonly string[]
}

/** @throws {Malformed} where an extension that matters cannot be read, or stands there twice. */
export function profileOf({ extensions }: Certificate): Profile {
  const names = extensions.map(({ oid }) => oid)
  if (new Set(names).size !== names.length) {
    throw new Malformed('a certificate has an extension twice')
  }
  const named = (oid: string) => extensions.find((each) => each.oid === oid)
  const constraints = constraintsOf(named(BASIC_CONSTRAINTS)?.value)
  const purposes = named(EXTENDED_KEY_USAGE)
  return {
    ...constraints,
    usage: usageOf(named(KEY_USAGE)?.value),
    purposes: purposes && purposesOf(purposes.value),
    purposesCritical: purposes?.critical ?? false,
    notUnderstood: extensions
      .filter(({ oid, critical }) => critical && !UNDERSTOOD.has(oid))
      .map(({ oid }) => oid),
  }
}

function constraintsOf(value: Uint8Array | undefined) {
  if (value === undefined) return { isAuthority: false, pathLength: 0 }
  return reading('basicConstraints', () => {
    const tree = treeOf(value, 'basicConstraints')
    const { cA, pathLenConstraint } = new BasicConstraints({ schema: tree })
    expectParts(tree, present(cA || undefined, pathLenConstraint), 'basicConstraints')
    const pathLength = pathLenConstraint ?? Number.POSITIVE_INFINITY
    if (typeof pathLength !== 'number') throw new Malformed('a path length is no small number')
    return { isAuthority: cA, pathLength }
  })
}

function usageOf(value: Uint8Array | undefined): number[] | undefined {
  if (value === undefined) return undefined
  const tree = treeOf(value, 'keyUsage')
  if (!(tree instanceof BitString)) throw new Malformed('keyUsage is no bit string')
  return bitsOf(octetsOf(value))
}

function purposesOf(value: Uint8Array): string[] {
  const tree = treeOf(value, 'extendedKeyUsage')
  return reading('extendedKeyUsage', () => new ExtKeyUsage({ schema: tree }).keyPurposes)
}
