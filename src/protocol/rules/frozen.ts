import { PROTOCOL_DIGEST } from './check.js'

/** Names that Windows keeps for devices, whatever their extension. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/** Whether a protocol_version can be the name of a file on every system. */
export function isSafeVersion(version: string): boolean {
  return (
    /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9_-])?$/.test(version) && !RESERVED.test(version)
  )
}

/** The document with its digest, in its place or, where a draft has none, behind schema_version. */
export function withDigest(value: object, digest: string): Record<string, unknown> {
  if (Object.hasOwn(value, PROTOCOL_DIGEST)) return { ...value, [PROTOCOL_DIGEST]: digest }
  const { schema_version, ...rest } = value as Record<string, unknown>
  const first = schema_version === undefined ? {} : { schema_version }
  return { ...first, [PROTOCOL_DIGEST]: digest, ...rest }
}

/** How a frozen protocol is written: indented, in the order of its draft. */
export function protocolText(protocol: object): string {
  return `${JSON.stringify(protocol, null, 2)}\n`
}
