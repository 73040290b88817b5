import {
  type Element,
  explicitTag,
  implicitTag,
  parseMembers,
  parseOid,
  parseParts,
  TAG,
} from './der.js'

/** What a certificate consists of (RFC 5280), and its body. */
export const CERTIFICATE_FORM = {
  body: TAG.sequence,
  algorithm: TAG.sequence,
  signature: TAG.bitString,
}
export const CERTIFICATE_BODY = {
  version: [explicitTag(0)],
  serial: TAG.integer,
  algorithm: TAG.sequence,
  issuer: TAG.sequence,
  validity: TAG.sequence,
  subject: TAG.sequence,
  key: TAG.sequence,
  issuerId: [implicitTag(1)],
  subjectId: [implicitTag(2)],
  extensions: [explicitTag(3)],
}

/** An extension of a certificate, of a list of revoked ones, or of a stamp. */
export interface Extension {
  readonly oid: string
  readonly critical: boolean
  readonly value: Uint8Array
}

/** The extensions within an explicit tag; empty without the tag. @throws {Malformed} */
export function parseExplicitExtensions(element: Element | undefined): Extension[] {
  return parseExtensions(
    element && parseMembers(element, 'extensions', { list: TAG.sequence }).list,
  )
}

const EXTENSION = { id: TAG.objectIdentifier, critical: [TAG.boolean], value: TAG.octetString }

/** @throws {Malformed} */
export function parseExtensions(list: Element | undefined): Extension[] {
  return (list ? [...parseParts(list)] : []).map((each) => {
    const { id, critical, value } = parseMembers(each, 'an extension', EXTENSION)
    return { oid: parseOid(id), critical: critical?.content[0] === 0xff, value: value.content }
  })
}
