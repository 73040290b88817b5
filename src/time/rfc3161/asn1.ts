import {
  type AsnType,
  Boolean as BooleanValue,
  fromBER,
  ObjectIdentifier,
  OctetString,
} from 'asn1js'
import type { AlgorithmIdentifier, Extension } from 'pkijs'
import { derFault, Malformed, octetsOf } from './der.js'

const MOST_NODES = 100_000

export interface Algorithm {
  readonly oid: string
  /** The parameters in DER; undefined where there are none. */
  readonly parameters: Uint8Array | undefined
}

export interface ReadExtension {
  readonly oid: string
  readonly critical: boolean
  readonly value: Uint8Array
}

/** The tree of a value in DER. @throws {Malformed} */
export function treeOf(bytes: Uint8Array, what: string): AsnType {
  const fault = derFault(bytes)
  if (fault !== undefined) throw new Malformed(`${what}: ${fault}`)
  return reading(what, () => {
    const { offset, result } = fromBER(bytes, { maxNodes: MOST_NODES })
    if (offset === -1) throw new Malformed(`${what}: ${result.error}`)
    return result
  })
}

/** Runs a reader of pkijs, whose errors say little. @throws {Malformed} */
export function reading<T>(what: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof Malformed) throw cause
    throw new Malformed(`it has no ${what} where one is expected`)
  }
}

/** The element in DER as it stands in the file. */
export const rawOf = (block: { readonly valueBeforeDecodeView: Uint8Array }): Uint8Array =>
  block.valueBeforeDecodeView

/** The elements of a sequence or set. @throws {Malformed} where the block has none. */
export function partsOf(block: AsnType, what: string): AsnType[] {
  const { value } = block.valueBlock as { value?: unknown }
  if (!(block.idBlock.isConstructed && Array.isArray(value)))
    throw new Malformed(`${what} is empty`)
  return value as AsnType[]
}

/** @throws {Malformed} where a sequence has other elements than those that were understood. */
export function expectParts(block: AsnType, count: number, what: string): void {
  if (partsOf(block, what).length !== count) throw new Malformed(`${what} has unknown parts`)
}

export const present = (...parts: readonly unknown[]): number =>
  parts.filter((part) => part !== undefined).length

export function algorithmOf({ algorithmId, algorithmParams }: AlgorithmIdentifier): Algorithm {
  return { oid: algorithmId, parameters: algorithmParams && rawOf(algorithmParams) }
}

/** The same of an element. @throws {Malformed} */
export function algorithmIn(tree: AsnType): Algorithm {
  const [oid, parameters] = partsOf(tree, 'AlgorithmIdentifier')
  expectParts(tree, 1 + present(parameters), 'AlgorithmIdentifier')
  return { oid: oidOf(oid), parameters: parameters && rawOf(parameters) }
}

export const oidOf = (block: AsnType | undefined): string =>
  expectType(block, ObjectIdentifier).valueBlock.toString()

/** @throws {Malformed} where an element is missing, or is of another type. */
export function expectType<T extends AsnType>(block: AsnType | undefined, type: new () => T): T {
  if (block instanceof type) return block
  throw new Malformed(`it has no ${type.name} where one is expected`)
}

export function extensionOf({ extnID, critical, extnValue }: Extension): ReadExtension {
  return { oid: extnID, critical, value: octetsOf(rawOf(extnValue)) }
}

/** Numbers of the bits that are set in the content of a BIT STRING. */
export function bitsOf(content: Uint8Array): number[] {
  return [...content.subarray(1)].flatMap((octet, at) =>
    [0, 1, 2, 3, 4, 5, 6, 7].filter((bit) => octet & (0x80 >> bit)).map((bit) => at * 8 + bit),
  )
}

/** The extensions of a certificate or a list. @throws {Malformed} */
export function extensionsIn(tree: AsnType): ReadExtension[] {
  return partsOf(tree, 'extensions').map((each) => {
    const parts = partsOf(each, 'an extension')
    const critical = parts[1] instanceof BooleanValue
    return {
      oid: oidOf(parts[0]),
      critical: critical && octetsOf(rawOf(parts[1]!))[0] !== 0,
      value: octetsOf(rawOf(expectType(parts.at(-1), OctetString))),
    }
  })
}

/** Whether an element has the tag `[number]`. */
export const isContext = ({ idBlock }: AsnType, number: number): boolean =>
  idBlock.tagClass === 3 && idBlock.tagNumber === number
