import type { StaticPageBody } from '../../../contract/types.js'
import { pagePath, parsePageNumber, read, turnPages } from './start.js'

/** The place of a page, counted from the oldest, by the number in its name: the build's generation ends it. */
export function placeInNumber(number: number): number {
  return Math.floor(number / 1e9) || number
}

/** Where pages are called by their builds as well: then only the page before knows the name of a page. */
export function browseLinked(head: StaticPageBody): void {
  const count = placeInNumber(parsePageNumber(head.pagination.next_url)) + 1
  const pages = [head]
  turnPages(count, async (index) => {
    let last = pages.at(-1)
    while (pages.length < index && last !== undefined) {
      last = await read(pagePath(parsePageNumber(last.pagination.next_url)))
      // Two turns at once may read the same page.
      pages[count - 1 - placeInNumber(parsePageNumber(last.pagination.next_url))] = last
    }
    return pages[index - 1]
  })
}
