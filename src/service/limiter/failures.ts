import { isIPv6 } from 'node:net'

/** Number of networks that are kept, by latest failure: about two megabytes. */
const MAX_NETWORKS = 16_384
/** Rounding error of sums of fractions of a millisecond. */
const ROUNDING_MS = 1e-3

/** Groups of 16 bits that identify an IPv6 network: one customer has a /64 with all its addresses. */
const GROUPS = 4

/**
 * Limits failed authentications per network of the client: `limit` at once, and then one in every `windowSeconds /
 * limit`. It keeps one number per network (the generic cell rate algorithm), because a client can use many networks.
 */
export class FailureLimit {
  /** When a network has its full allowance again, in milliseconds; the latest failure is at the end. */
  readonly #paidAt = new Map<string, number>()
  readonly #windowMs: number

  /** @param limit 0 for none. */
  constructor(
    private readonly limit: number,
    windowSeconds: number,
  ) {
    this.#windowMs = windowSeconds * 1000
  }

  /**
   * Counts a failure, unless there were too many.
   * @param now milliseconds of a monotonic clock.
   * @returns whole seconds until the next one is counted; undefined if this one was counted.
   */
  take(address: string, now: number): number | undefined {
    if (this.limit === 0) return undefined
    const network = toNetwork(address)
    const paidAt = Math.max(this.#paidAt.get(network) ?? now, now) + this.#windowMs / this.limit
    const wait = paidAt - now - this.#windowMs
    if (wait > ROUNDING_MS) return Math.max(1, Math.ceil((wait - ROUNDING_MS) / 1000))
    this.#paidAt.delete(network)
    this.#paidAt.set(network, paidAt)
    const [oldest = ''] = this.#paidAt.keys()
    if (this.#paidAt.size > MAX_NETWORKS) this.#paidAt.delete(oldest)
    return undefined
  }
}

/** The network of an address for counting: an IPv4 address itself, for IPv6 the /64. */
export function toNetwork(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.replace(/%.*$/, '').split('::')
  const before = parseGroups(head)
  const after = parseGroups(tail ?? '')
  const zeros = tail === undefined ? 0 : 2 * GROUPS - before.length - after.length
  const groups = [...before, ...Array<number>(zeros).fill(0), ...after].slice(0, GROUPS)
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`
}

/** The groups of a part of an address; an IPv4 address at its end replaces two groups, beyond the /64. */
function parseGroups(part: string): number[] {
  if (part === '') return []
  return part
    .split(':')
    .flatMap((group) => (group.includes('.') ? [0, 0] : [Number.parseInt(group, 16)]))
}
