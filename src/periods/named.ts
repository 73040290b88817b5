import { type Finding, finding } from '../contract/findings/finding.js'
import {
  type Instant,
  instantOf,
  MICROS_PER_DAY,
  parseTimestamp,
  type TimestampFault,
} from '../contract/instant.js'
import type { PeriodList } from './list.js'
import { type WallTime, type Zone, zoneNamed } from './zone.js'

/** How texts name periods where they are no labels. */
export interface PeriodNaming {
  /** Which end of its period a time names; `end` where absent. Without it times need an offset. */
  readonly label?: 'start' | 'end' | undefined
  /** Which of two equal local times comes first in a file, where the clock is put back. */
  readonly repeated?: 'earlier-first' | 'later-first' | undefined
  /** Times without an offset are UTC. */
  readonly utc?: boolean | undefined
}

export type NamingFault = 'not-a-period' | 'zone-missing' | 'repeated' | 'skipped' | TimestampFault

/** A position in the list, or why there is none. */
export type NamedPeriod =
  | { readonly ok: true; readonly at: number }
  | { readonly ok: false; readonly fault: NamingFault }

const DATE = /^\d{4}-\d\d-\d\d$/
const LOCAL = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?$/

/** The instant of a timestamp, or of a date: its end by the clock of a zone. Undefined for any other text. */
export function endInstant(text: string, zone: Zone): Instant | undefined {
  if (!DATE.test(text)) return instantOf(text)
  const midnight = instantOf(`${text}T00:00:00Z`)
  return midnight === undefined ? undefined : zone.instantOf(midnight + MICROS_PER_DAY)
}

/** Finds periods by what files call them: a label, a date (the next midnight), or a time. */
export class NamedPeriods {
  readonly #labels: ReadonlyMap<string, number>
  readonly #ends: ReadonlyMap<Instant, number>
  readonly #named: ReadonlyMap<Instant, number>
  readonly #zone: Zone
  readonly #local: LocalPeriods | undefined
  /** Those that were asked about: asking a zone takes a while. */
  readonly #dates = new Map<string, Instant | undefined>()

  /** @param zone - by whose clock dates and local times are meant; one that is there. */
  constructor(
    periods: PeriodList,
    zone: string,
    readonly naming: PeriodNaming = {},
  ) {
    const by = <T>(of: (period: PeriodList[number]) => T) =>
      new Map(periods.map((period, at) => [of(period), at]))
    this.#labels = by(({ label }) => label)
    this.#ends = by(({ end }) => end)
    this.#named = naming.label === 'start' ? by(({ start }) => start) : this.#ends
    this.#zone = zoneNamed(zone) as Zone
    const isLocal = naming.label !== undefined && !naming.utc
    this.#local = isLocal ? new LocalPeriods(periods, this.#zone, naming) : undefined
  }

  /**
   * @param row - what else names the row: the second time that a row has a local time that the clock shows twice, the
   * other one is meant.
   */
  find(text: string, row: string): NamedPeriod {
    const [local, date, minutes, seconds = ':00'] = LOCAL.exec(text) ?? []
    const time = local ? `${date}T${minutes}${seconds}` : text
    // Before labels, which may look like times of starts where those of ends are meant.
    if (local !== undefined && this.#local !== undefined) return this.#local.find(time, row)
    const labelled = this.#labels.get(text)
    if (labelled !== undefined) return { ok: true, at: labelled }
    if (DATE.test(text)) {
      if (!this.#dates.has(text)) this.#dates.set(text, endInstant(text, this.#zone))
      const end = this.#dates.get(text)
      return end === undefined ? { ok: false, fault: 'calendar' } : found(this.#ends.get(end))
    }
    const parsed = parseTimestamp(local ? `${time}Z` : text.replace(' ', 'T'))
    if (!parsed.ok) {
      return { ok: false, fault: parsed.fault === 'syntax' ? 'not-a-period' : parsed.fault }
    }
    if (local !== undefined && !this.naming.utc) return { ok: false, fault: 'zone-missing' }
    return found(this.#named.get(parsed.instant))
  }

  /** Rows of a local time that is shown twice, where the other row is missing. */
  lone(): readonly string[] {
    return this.#local?.lone() ?? []
  }

  /** Local times of the rows that are shown twice, and those between the first and the last row that are never shown. */
  changes(): { readonly twice: readonly string[]; readonly never: readonly string[] } {
    return this.#local?.changes() ?? { twice: [], never: [] }
  }
}

/** So many times are shown. */
const SHOWN = 8

/** What is to be said of the local times of a file, once all of its rows are read. */
export function clockFindings(periods: NamedPeriods, file: string): Finding[] {
  const findings: Finding[] = []
  for (const found of periods.lone()) {
    findings.push(finding('truth-local', { fault: 'lone', found }, { file }))
  }
  const { twice, never } = periods.changes()
  if (twice.length + never.length === 0) return findings
  const shown = (times: readonly string[]) =>
    [...times.slice(0, SHOWN), ...(times.length > SHOWN ? ['…'] : [])].join(', ') || 'none'
  const order = periods.naming.repeated === 'later-first' ? 'second' : 'first'
  const args = { doubled: twice.length, skipped: never.length, order }
  const said = { ...args, twice: shown(twice), never: shown(never) }
  return [...findings, finding('truth-clock', said, { file })]
}

function found(at: number | undefined): NamedPeriod {
  return at === undefined ? { ok: false, fault: 'not-a-period' } : { ok: true, at }
}

/**
 * Periods by what the clock shows when they start or end. The time of an end is that of the start, and as much later as
 * most periods last: hours are numbered so, and where the clock is put back at 2:00 the one that ends at 2:00 is twice.
 */
class LocalPeriods {
  readonly #byTime = new Map<string, number[]>()
  /** Times that the clock jumps over, by the position of the period before. */
  readonly #skipped = new Map<number, string>()
  /** By row and time that is shown twice: how often it was there. */
  readonly #seen = new Map<string, { count: number; readonly time: string }>()
  /** So much after its start a period has its time, by the clock. */
  readonly #later: number
  #first = Number.POSITIVE_INFINITY
  #last = Number.NEGATIVE_INFINITY

  constructor(
    periods: PeriodList,
    private readonly zone: Zone,
    private readonly naming: PeriodNaming,
  ) {
    const usual = mostCommon(periods.map(({ start, end }) => end - start))
    this.#later = naming.label === 'end' ? usual : 0
    const walls = periods.map(({ start }) => start + zone.offsetAt(start) + this.#later)
    for (const [at, wall] of walls.entries()) {
      const time = wallText(wall)
      this.#byTime.set(time, [...(this.#byTime.get(time) ?? []), at])
    }
    for (const [at, wall] of walls.entries()) {
      const next = wallText(wall + usual)
      const isFollowed = periods[at]?.end === periods[at + 1]?.start
      if (isFollowed && !this.#byTime.has(next)) this.#skipped.set(at, next)
    }
  }

  find(time: string, row: string): NamedPeriod {
    const [earlier, later] = this.#byTime.get(time) ?? []
    if (earlier === undefined) {
      const start = Date.parse(`${time}Z`) * 1000 - this.#later
      const isSkipped = this.zone.instantsOf(start).length === 0
      return { ok: false, fault: isSkipped ? 'skipped' : 'not-a-period' }
    }
    if (later === undefined) return this.#use(earlier)
    const { repeated } = this.naming
    if (repeated === undefined) return { ok: false, fault: 'repeated' }
    const key = `${row} ${time}`
    const count = this.#seen.get(key)?.count ?? 0
    if (count > 1) return { ok: false, fault: 'not-a-period' }
    this.#seen.set(key, { count: count + 1, time })
    return this.#use((count === 0) === (repeated === 'earlier-first') ? earlier : later)
  }

  lone(): readonly string[] {
    return [...this.#seen.values()].filter(({ count }) => count === 1).map(({ time }) => time)
  }

  changes() {
    const skipped = [...this.#skipped].filter(([at]) => at >= this.#first && at < this.#last)
    const twice = new Set([...this.#seen.values()].map(({ time }) => time))
    return { twice: [...twice], never: skipped.map(([, time]) => time) }
  }

  #use(at: number): NamedPeriod {
    this.#first = Math.min(this.#first, at)
    this.#last = Math.max(this.#last, at)
    return { ok: true, at }
  }
}

const wallText = (wall: WallTime) => new Date(wall / 1000).toISOString().slice(0, 19)

function mostCommon(numbers: readonly number[]): number {
  const counts = new Map<number, number>()
  for (const each of numbers) counts.set(each, (counts.get(each) ?? 0) + 1)
  return [...counts].reduce((a, b) => (b[1] > a[1] ? b : a), [0, 0])[0]
}
