import type { Deployment } from '../../remote/deployment.js'
import { pageFile, pageNumber } from '../../site/layout.js'
import type { Judge } from '../judge.js'
import type { Chain } from './site.js'

/** Pages that are asked for at most. */
const MOST = 10

/**
 * Asks a site for the pages beside those that were reached: one that is there was skipped, or cut off.
 * @param root - address of the site, with a slash at its end.
 */
export async function judgeNeighbours(
  judge: Judge,
  deployment: Deployment,
  root: string,
  { reached }: Chain,
): Promise<void> {
  const numbers = reached.map((place) => pageNumber(new URL(place).pathname) ?? 0)
  const known = new Set(numbers)
  const beside = numbers.flatMap((number) => [number - 1, number + 1])
  const asked = [...new Set(beside)].filter((number) => number > 0 && !known.has(number))
  judge.look('pages-reachable')
  for (const number of asked.slice(0, MOST)) {
    const place = root + pageFile(number)
    const found = await deployment.read(place).catch(() => undefined)
    // Some hosts answer every path with a page of their own.
    const isPage = found !== undefined && /^\s*\{\s*"api_version"/.test(textOf(found.bytes))
    judge.expect('pages-reachable', !isPage, { where: place }, 'no next_url leads here')
  }
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, 200)).toString('latin1')
}
