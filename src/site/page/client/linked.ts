import type { StaticPageBody } from '../../../contract/types.js'
import { byId, fill } from './dom.js'
import { numberOf, pagePath, read, showPage } from './start.js'

/** The place of a page, from the oldest on, by the number in its name: the generation ends it. */
export function placeOf(number: number): number {
  return Math.floor(number / 1e9) || number
}

/**
 * Stands in for the function of this name in start.ts where pages are called by their builds as well: then
 * only the page before knows the name of a page.
 */
export function browse(head: StaticPageBody): void {
  const count = placeOf(numberOf(head.pagination.next_url)) + 1
  const pages = [head]
  const wanted = () => {
    const asked = Number(/^#page=([0-9]+)$/.exec(location.hash)?.[1] ?? 1)
    return Math.min(Math.max(1, asked), count)
  }
  const turn = async () => {
    const index = wanted()
    try {
      let last = pages.at(-1)
      while (pages.length < index && last !== undefined) {
        last = await read(pagePath(numberOf(last.pagination.next_url)))
        // Two turns at once may read the same page.
        pages[count - 1 - placeOf(numberOf(last.pagination.next_url))] = last
      }
      const page = pages[index - 1]
      if (page !== undefined && index === wanted()) showPage(page, index, count)
    } catch {
      fill('position', `Page ${index} could not be read. Try again in a moment.`)
    }
  }
  const go = (by: number) => {
    location.hash = `page=${wanted() + by}`
  }
  byId('newer').addEventListener('click', () => go(-1))
  byId('older').addEventListener('click', () => go(1))
  addEventListener('hashchange', () => void turn())
  byId('history').hidden = false
  void turn()
}
