import {
  type Instant,
  instantOrNaN,
  MICROS_PER_DAY,
  parseTimestamp,
  type TimestampFault,
} from '../contract/instant.js'
import type { PeriodList } from './list.js'
import { type Zone, zoneNamed } from './zone.js'

/** How texts name periods where they are no labels. */
export interface PeriodNaming {
  /** Which end of its period a time names; `end` where absent. Without it times need an offset. */
  readonly label?: 'start' | 'end' | undefined
  /** Which of two equal local times comes first in a file, where the clock is put back. */
  readonly repeated?: 'earlier-first' | 'later-first' | undefined
  /** Times without an offset are UTC. */
  readonly utc?: boolean | undefined
}

type NamingFault = 'not-a-period' | 'zone-missing' | 'repeated' | 'skipped' | TimestampFault

/** A position in the list, or why there is none. */
export type NamedPeriod =
  | { readonly ok: true; readonly at: number }
  | { readonly ok: false; readonly fault: NamingFault }

const DATE = /^\d{4}-\d\d-\d\d$/
const LOCAL = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?$/

/** Finds periods by what files call them: a label, a date (the next midnight), or a time. */
export class NamedPeriods {
  readonly #labels: ReadonlyMap<string, number>
  readonly #ends: ReadonlyMap<Instant, number>
  readonly #named: ReadonlyMap<Instant, number>
  readonly #zone: Zone
  /** Those that were asked about: asking a zone takes a while. */
  readonly #dates = new Map<string, number>()
  readonly #seen = new Map<string, number>()

  /** @param zone - by whose clock dates and local times are meant; one that is there. */
  constructor(
    periods: PeriodList,
    zone: string,
    private readonly naming: PeriodNaming = {},
  ) {
    const by = <T>(of: (period: PeriodList[number]) => T) =>
      new Map(periods.map((period, at) => [of(period), at]))
    this.#labels = by(({ label }) => label)
    this.#ends = by(({ end }) => end)
    this.#named = naming.label === 'start' ? by(({ start }) => start) : this.#ends
    this.#zone = zoneNamed(zone) as Zone
  }

  /**
   * @param row - what else names the row: the second time that a row has a local time that the clock shows twice, the
   * other one is meant.
   */
  find(text: string, row: string): NamedPeriod {
    const labelled = this.#labels.get(text) ?? this.#dates.get(text)
    if (labelled !== undefined) return { ok: true, at: labelled }
    if (DATE.test(text)) {
      const midnight = instantOrNaN(`${text}T00:00:00Z`) + MICROS_PER_DAY
      if (Number.isNaN(midnight)) return { ok: false, fault: 'calendar' }
      const at = this.#ends.get(this.#zone.instantOf(midnight))
      if (at !== undefined) this.#dates.set(text, at)
      return found(at)
    }
    const [local, date, minutes, seconds = ':00'] = LOCAL.exec(text) ?? []
    const parsed = parseTimestamp(local ? `${date}T${minutes}${seconds}Z` : text.replace(' ', 'T'))
    if (!parsed.ok)
      return { ok: false, fault: parsed.fault === 'syntax' ? 'not-a-period' : parsed.fault }
    if (local === undefined || this.naming.utc) return found(this.#named.get(parsed.instant))
    if (this.naming.label === undefined) return { ok: false, fault: 'zone-missing' }
    return this.#local(parsed.instant, `${row} ${text}`)
  }

  #local(wall: Instant, row: string): NamedPeriod {
    const [first, second] = this.#zone.instantsOf(wall)
    if (first === undefined) return { ok: false, fault: 'skipped' }
    if (second === undefined) return found(this.#named.get(first))
    const { repeated } = this.naming
    if (repeated === undefined) return { ok: false, fault: 'repeated' }
    const turn = this.#seen.get(row) ?? 0
    this.#seen.set(row, turn + 1)
    if (turn > 1) return { ok: false, fault: 'not-a-period' }
    const isEarlier = (turn === 0) === (repeated === 'earlier-first')
    return found(this.#named.get(isEarlier ? first : second))
  }
}

function found(at: number | undefined): NamedPeriod {
  return at === undefined ? { ok: false, fault: 'not-a-period' } : { ok: true, at }
}
