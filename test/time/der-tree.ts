import { der } from '../../src/time/rfc3161/der.js'

/** An element of DER that can be changed and written again with right lengths. */
export interface DerNode {
  tag: number
  /** Elements of a constructed value, and of an octet string that holds one; undefined for others. */
  children: DerNode[] | undefined
  content: Uint8Array
}

/** The elements that come one after the other; undefined where the bytes are no such thing. */
export function derNodes(bytes: Uint8Array): DerNode[] | undefined {
  const nodes: DerNode[] = []
  let at = 0
  while (at < bytes.length) {
    const tag = bytes[at]!
    const first = bytes[at + 1] ?? 0xff
    const octets = first < 0x80 ? 0 : first & 0x7f
    if (octets > 3) return undefined
    const lengthOctets = bytes.subarray(at + 2, at + 2 + octets)
    const length = octets === 0 ? first : lengthOctets.reduce((sum, each) => sum * 256 + each, 0)
    const start = at + 2 + octets
    if (start + length > bytes.length) return undefined
    const content = bytes.subarray(start, start + length)
    nodes.push({ tag, children: childrenOf(tag, content), content })
    at = start + length
  }
  return nodes
}

function childrenOf(tag: number, content: Uint8Array): DerNode[] | undefined {
  if ((tag & 0x20) !== 0) return derNodes(content)
  return tag === 4 && content[0] === 0x30 ? derNodes(content) : undefined
}

export const derOf = ({ tag, children, content }: DerNode): Uint8Array =>
  der(tag, ...(children === undefined ? [content] : children.map(derOf)))

/** Every element that has others in it. */
export function parentsIn(nodes: readonly DerNode[]): DerNode[] {
  return nodes.flatMap((node) =>
    node.children === undefined ? [] : [node, ...parentsIn(node.children)],
  )
}
