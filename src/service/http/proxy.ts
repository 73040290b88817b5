import { BlockList, isIP } from 'node:net'
import { ForeproofError } from '../../contract/error.js'

/** Gives the address of a client from that of the peer and what its X-Forwarded-For says. */
export type ResolveClient = (peer: string, forwardedFor: string | undefined) => string

/** An IPv4 address that came over an IPv6 socket, in its usual form. */
function plain(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address
}

/** Some proxies add the port of the client; an address of IPv6 is in brackets then. */
const WITH_PORT = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::\d{1,5})?$/

/** The address in an entry of X-Forwarded-For. */
function parseHop(entry: string): string {
  const [, inBrackets, bare] = WITH_PORT.exec(entry) ?? []
  return plain(inBrackets ?? bare ?? entry)
}

/**
 * Reads a list of addresses and CIDR ranges: the proxies that are believed about where a request came from. Each
 * appends the peer it saw, so what they say is read from its end, and only for as long as the one who wrote the entry is
 * trusted: what a client invents stays unread.
 * @throws {ForeproofError} `usage` that names the variable or flag.
 */
export function parseProxies(list: string, name: string): ResolveClient {
  const ranges = new BlockList()
  for (const entry of list.split(',').map((each) => each.trim())) {
    if (entry === '') continue
    const [address = '', prefix, ...rest] = entry.split('/')
    const family = isIP(address)
    const longest = family === 6 ? 128 : 32
    const bits = prefix === undefined ? longest : Number(prefix)
    const digits = prefix === undefined || /^\d{1,3}$/.test(prefix)
    if (family === 0 || !digits || bits > longest || rest.length > 0) {
      throw new ForeproofError('usage', `${name} has ${JSON.stringify(entry)}`, {
        help: 'Give addresses or CIDR ranges, such as 10.0.0.0/8 or ::1, by comma.',
      })
    }
    ranges.addSubnet(address, bits, family === 6 ? 'ipv6' : 'ipv4')
  }
  return (peer, forwardedFor) => {
    let client = plain(peer)
    const hops = forwardedFor?.split(',') ?? []
    while (hops.length > 0 && contains(ranges, client)) {
      const hop = parseHop((hops.pop() ?? '').trim())
      if (isIP(hop) === 0) break
      client = hop
    }
    return client
  }
}

function contains(ranges: BlockList, address: string): boolean {
  const family = isIP(address)
  return family !== 0 && ranges.check(address, family === 6 ? 'ipv6' : 'ipv4')
}
