import type { StaticPageBody } from '../../../contract/types.js'
import { pagePath, parsePageNumber, read, turnPages } from './start.js'

/**
 * The position of a page, counted from the oldest, from the number in its name: the number ends with the build's
 * generation.
 */
export function placeInNumber(number: number): number {
  return Math.floor(number / 1e9) || number
}

/** Browses pages whose names include their build, so that only `next_url` of the previous page names the next. */
export function browseLinked(head: StaticPageBody): void {
  const count = placeInNumber(parsePageNumber(head.pagination.next_url)) + 1
  const pages = [head]
  turnPages(count, async (index) => {
    let last = pages.at(-1)
    while (pages.length < index && last !== undefined) {
      last = await read(pagePath(parsePageNumber(last.pagination.next_url)))
      // Two concurrent turns may read the same page.
      pages[count - 1 - placeInNumber(parsePageNumber(last.pagination.next_url))] = last
    }
    return pages[index - 1]
  })
}
