import { BlockList, isIP } from 'node:net'
import { ForeproofError } from '../../contract/error.js'

/** Finds the address of a client from its peer and the X-Forwarded-For header. */
export type ResolveClient = (peer: string, forwardedFor: string | undefined) => string

/** Converts an IPv4 address of an IPv6 socket to its usual form. */
function plain(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address
}

/** Some proxies add the port of the client; then IPv6 addresses are in brackets. */
const WITH_PORT = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::\d{1,5})?$/

/** The address in an entry of X-Forwarded-For. */
function parseHop(entry: string): string {
  const [, inBrackets, bare] = WITH_PORT.exec(entry) ?? []
  return plain(inBrackets ?? bare ?? entry)
}

/**
 * Parses the list of trusted proxies: addresses and CIDR ranges. Each proxy appends the peer that it saw, so the
 * header is read from its end, and only while the author of an entry is trusted. Entries invented by a client are
 * never read.
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
