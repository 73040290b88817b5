import type { StaticPageBody } from '../../contract/types.js'
import type { JudgedBody } from '../body.js'
import type { Judge } from '../judge.js'

/**
 * Follows how full the pages are. A page that holds fewer forecasts than its size has lost some, unless
 * it is the first or the last: the rest of a division can be at one of the two ends, and not at both.
 */
export class PageSizes {
  #headIsFull = true
  #size: number | undefined

  constructor(private readonly judge: Judge) {}

  add(body: JudgedBody, isHead: boolean, isLast: boolean): void {
    const { page_size } = (body.value as unknown as StaticPageBody).pagination
    const count = body.rows.length
    const isFull = count >= page_size
    this.#size ??= page_size
    const same = page_size === this.#size
    const stated = () => body.place('/pagination/page_size')
    this.judge.expect('page-size', same, stated, `is ${page_size}, ${this.#size} on pages before`)
    if (isHead) {
      this.#headIsFull = isFull
      return
    }
    const mayBeShort = isLast && this.#headIsFull
    const detail = `holds ${count} forecasts of ${page_size}, and is not the only page with fewer`
    const place = () => body.place('/data')
    this.judge.expect('page-full', isFull || mayBeShort, place, detail)
  }
}
