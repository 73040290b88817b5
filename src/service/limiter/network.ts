import { isIPv6 } from 'node:net'

/** Groups of 16 bits that name a network of IPv6: a /64 is what one customer has, with all its addresses. */
const GROUPS = 4

/** The network that an address is counted as: an IPv4 address itself, of IPv6 the /64. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.replace(/%.*$/, '').split('::')
  const before = groupsOf(head)
  const after = groupsOf(tail ?? '')
  const zeros = tail === undefined ? 0 : 2 * GROUPS - before.length - after.length
  const groups = [...before, ...Array<number>(zeros).fill(0), ...after]
  return `${groups
    .slice(0, GROUPS)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}

/** The groups of a part of an address; an IPv4 address at its end takes the place of two, beyond the /64. */
function groupsOf(part: string): number[] {
  if (part === '') return []
  return part
    .split(':')
    .flatMap((group) => (group.includes('.') ? [0, 0] : [Number.parseInt(group, 16)]))
}
