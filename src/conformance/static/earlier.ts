import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { checkPayload } from '../../contract/check-payload.js'
import type { RuleName } from '../../contract/conformance-rules.js'
import { ForeproofError } from '../../contract/error.js'
import { instantOrNaN } from '../../contract/instant.js'
import { compareKeys, type ReadingKey } from '../../contract/order.js'
import { isUnsendable } from '../../contract/row-rules.js'
import { toReadingKey } from '../../contract/rules.js'
import type { ForecastResource, StaticPageBody } from '../../contract/types.js'
import { readIfRegular } from '../../files/regular.js'
import { HEAD_FILE, pageFile, pagePlace } from '../../site/layout.js'
import type { CheckedBody } from '../body.js'
import { parseBody } from '../dynamic/client.js'
import type { FaultLocation, RuleChecks } from '../judge.js'
import { findDifference } from '../page-walk.js'
import { LARGEST, pageNumbers } from './files.js'

/** A forecast of an earlier copy. */
interface Earlier {
  readonly row: ForecastResource
  readonly key: ReadingKey
  readonly file: string
  /** The rule that requires it, depending on whether its page was full and entirely stale. */
  readonly rule: Extract<RuleName, 'sealed-unchanged' | 'forecasts-kept'>
}

/**
 * An earlier copy of a site. All its forecasts must still be there, unchanged. They may be on another page, because a
 * late forecast moves others. Both are read once, from the newest forecast on.
 */
export class EarlierCopy {
  readonly #rows: Iterator<Earlier>
  readonly #snapshot: string | undefined
  #next: Earlier | undefined
  /** Whether a page could not be read: a missing forecast may be on it. */
  #unread = false

  /** @throws {ForeproofError} `not-found` for a folder without a page of forecasts. */
  constructor(
    private readonly judge: RuleChecks,
    folder: string,
  ) {
    const copy = realpathSync(folder)
    const head = findPage(join(copy, HEAD_FILE))
    if (head === undefined && pageNumbers(copy).length === 0) {
      const help =
        'Give the folder of a site, or a copy of one: service/api/v1/forecasts.json is in it.'
      throw new ForeproofError('not-found', `--previous ${folder}: there is no site in it`, {
        help,
      })
    }
    this.#snapshot = head?.snapshot_at
    this.#rows = readRows(copy, folder)
    this.#step()
  }

  /** Checks whether the site is as new as the copy, or newer. */
  checkHead(head: CheckedBody): void {
    if (this.#snapshot === undefined || !head.sound) return
    const now = (head.value as unknown as StaticPageBody).snapshot_at
    const holds = instantOrNaN(now) >= instantOrNaN(this.#snapshot)
    const detail = `is of ${now}, the earlier copy of ${this.#snapshot}`
    head.expect('not-older', holds, '/snapshot_at', detail)
  }

  /** Compares the copy with the next page of the site. */
  add(page: CheckedBody): void {
    if (!page.sound) this.#unread = true
    for (const [index, row] of page.rows.entries()) {
      const locate = () => page.locate(page.rowPointer(index))
      const key = toReadingKey(row)
      this.#pass((earlier) => compareKeys(earlier, key) < 0, locate)
      const earlier = this.#next
      if (earlier === undefined || compareKeys(earlier.key, key) !== 0) continue
      const difference = findDifference(row, earlier.row, 'may have grown')
      const { forecast_id } = earlier.row
      const detail = `${difference} of ${forecast_id} is another; ${earlier.file} has it`
      this.judge.expect(earlier.rule, difference === undefined, locate, detail)
      this.#step()
    }
  }

  /** Reports forecasts that no page had. @param where - the last page of the site. */
  finish(where: string): void {
    this.#pass(
      () => true,
      () => ({ where }),
    )
    const why = 'the earlier copy has no such page'
    this.judge.skip(['sealed-unchanged', 'forecasts-kept', 'not-older'], why)
  }

  /** Reports forecasts that should have come by now: they are missing. */
  #pass(isPast: (key: ReadingKey) => boolean, locate: () => FaultLocation): void {
    while (this.#next !== undefined && isPast(this.#next.key)) {
      const { row, file, rule } = this.#next
      const detail = `${row.forecast_id} is gone; ${file} has it`
      if (!this.#unread) this.judge.expect(rule, false, locate, detail)
      this.#step()
    }
    this.#unread = false
  }

  #step(): void {
    const { value, done } = this.#rows.next()
    this.#next = done ? undefined : value
  }
}

/** All forecasts of a copy, newest first. @param shown - the name of its folder in messages. */
function* readRows(copy: string, shown: string): Generator<Earlier> {
  const groups = new Map([[Infinity, [HEAD_FILE]]])
  for (const number of pageNumbers(copy).reverse()) {
    const position = pagePlace(number)
    groups.set(position, [...(groups.get(position) ?? []), pageFile(number)])
  }
  let last: ReadingKey | undefined
  // Pages of one position come from several builds, and overlap.
  for (const files of groups.values()) {
    const rows = files.flatMap((file) => findEarlier(join(copy, file), join(shown, file)))
    for (const each of rows.sort((a, b) => compareKeys(a.key, b.key))) {
      if (last !== undefined && compareKeys(last, each.key) >= 0) continue
      last = each.key
      yield each
    }
  }
}

function findEarlier(path: string, file: string): Earlier[] {
  const page = findPage(path)
  if (page === undefined) return []
  const { data, pagination } = page
  const isSealed =
    data.length >= pagination.page_size &&
    data.every(({ freshness }) => freshness.status === 'stale')
  const rule = isSealed ? 'sealed-unchanged' : 'forecasts-kept'
  return data.map((row) => ({ row, key: toReadingKey(row), file, rule }))
}

function findPage(path: string): StaticPageBody | undefined {
  const bytes = readIfRegular(path, LARGEST)
  const value: unknown = bytes && parseBody(bytes)
  return isUnsendable(checkPayload('static-page', value)) ? undefined : (value as StaticPageBody)
}
