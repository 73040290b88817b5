import { type ArgsOf, type Finding, finding, type Severity } from '../contract/findings/finding.js'
import { formatUtc, type Instant, MICROS_PER_DAY } from '../contract/instant.js'
import { type CellTime, parseCellTime, type TimeFault } from '../table/time.js'
import type { Period, PeriodList } from './list.js'
import { LocalPeriods } from './local.js'
import type { PeriodEnd, PeriodNaming } from './naming.js'
import { type WallTime, type Zone, zoneNamed } from './zone.js'

/** A position in the list; otherwise a fault, or neither if the row is left out and counted. */
export type NamedPeriod =
  | { readonly ok: true; readonly at: number }
  | { readonly ok: false; readonly finding?: Finding }

type NameArgs = ArgsOf<'period-name'>

/** The meaning of a text, independent of its rows. */
type Resolved =
  | { readonly at: number; readonly reading: string }
  | { readonly wall: WallTime }
  | { readonly outside: 'time' | 'text' }
  | Omit<NameArgs, 'column' | 'found'>

/**
 * The instant of a time with an offset, or the end of a date in a time zone. Undefined for any other text.
 * @param utc - whether a time without an offset is UTC.
 */
export function endInstant(text: string, zone: Zone, utc = false): Instant | undefined {
  const time = parseCellTime(text)
  switch (time.kind) {
    case 'date':
      return zone.instantAt(time.wall + MICROS_PER_DAY)
    case 'instant':
      return time.instant
    case 'local':
      return utc ? time.wall : undefined
    case 'none':
      return undefined
  }
}

/** Finds periods by the text of a column: a label, a date, or a time. */
export class NamedPeriods {
  readonly #labels: ReadonlyMap<string, number>
  readonly #starts: ReadonlyMap<Instant, number>
  readonly #ends: ReadonlyMap<Instant, number>
  readonly #zone: Zone
  readonly #local: LocalPeriods | undefined
  /** Whether a date names a period, because all begin and end at midnight. */
  readonly #hasDays: boolean
  /** A cache of texts: most occur again in every series. */
  readonly #resolved = new Map<string, Resolved>()
  readonly #leftOut = new Map<'time' | 'text', { count: number; found: string; line: number }>()
  #first: string | undefined

  /**
   * @param zone - the time zone of dates and local times; must exist.
   * @param column - its name in findings.
   */
  constructor(
    private readonly periods: PeriodList,
    zone: string,
    private readonly naming: PeriodNaming,
    private readonly column: string,
  ) {
    const by = <T>(of: (period: Period) => T) =>
      new Map(periods.map((period, at) => [of(period), at]))
    this.#labels = by(({ label }) => label)
    this.#starts = by(({ start }) => start)
    this.#ends = by(({ end }) => end)
    this.#zone = zoneNamed(zone) as Zone
    this.#hasDays = periods.every(
      (each) => this.#isMidnight(each.start) && this.#isMidnight(each.end),
    )
    const isLocal = naming.label !== undefined && !naming.utc
    this.#local = isLocal ? new LocalPeriods(periods, this.#zone, naming) : undefined
  }

  /** How the first text that named a period was read. */
  get first(): string | undefined {
    return this.#first
  }

  /**
   * @param row - the rest of the row's key: if it has the same repeated local time twice, the second means the other
   * period.
   * @param isBesideTwice - whether another time of the row is repeated too: then neither can be resolved.
   */
  find(given: string, row: string, line: number, isBesideTwice = false): NamedPeriod {
    const text = given.trim()
    const resolved = this.#findResolved(text)
    const isUnclear = isBesideTwice && this.isTwice(text)
    const meaning = isUnclear
      ? ({ fault: 'both' } as const)
      : 'wall' in resolved
        ? this.#findLocal(resolved.wall, row, line)
        : resolved
    if ('at' in meaning) {
      this.#first ??= `${text}, ${meaning.reading}`
      return { ok: true, at: meaning.at }
    }
    if ('outside' in meaning) {
      this.#leaveOut(meaning.outside, text, line)
      return { ok: false }
    }
    return { ok: false, finding: this.#fault(meaning, text) }
  }

  /** Whether a text is a local time that the clock shows twice. */
  isTwice(text: string): boolean {
    const resolved = this.#findResolved(text.trim())
    return 'wall' in resolved && this.#local?.isTwice(resolved.wall) === true
  }

  /** Why a text names no period: it is within one, outside the list, or not a time; undefined if it names one. */
  misses(text: string): 'within' | 'outside' | 'unread' | undefined {
    const resolved = this.#findResolved(text.trim())
    if ('at' in resolved || 'wall' in resolved) return undefined
    if ('outside' in resolved) return 'outside'
    return resolved.fault === 'inside' || resolved.fault === 'other-end' ? 'within' : 'unread'
  }

  /**
   * Findings after all rows are read: rows that were left out, and clock changes.
   * @param severity - for rows that were left out.
   */
  findings(file: string, severity: Severity = 'warning'): Finding[] {
    const { column } = this
    const leftOut = [...this.#leftOut].map(([fault, { count, found, line }]) => {
      const at = { file, position: { line, column: 1 }, severity }
      return finding('period-outside', { fault, column, count, found }, at)
    })
    const lone = (this.#local?.lone() ?? []).map(({ wall, line }) => ({
      ...this.#fault({ fault: 'lone' }, wallText(wall)),
      file,
      position: { line, column: 1 },
    }))
    return [...leftOut, ...lone, ...this.#clockFindings(file)]
  }

  #clockFindings(file: string): Finding[] {
    const { twice, never } = this.#local?.changes() ?? { twice: [], never: [] }
    if (twice.length + never.length === 0) return []
    const order = this.naming.repeated === 'later-first' ? 'second' : 'first'
    const args = { twice: twice.map(wallText), never: never.map(wallText), order }
    return [finding('period-clock', args, { file })]
  }

  #findResolved(text: string): Resolved {
    const before = this.#resolved.get(text)
    if (before !== undefined) return before
    const resolved = this.#resolve(text)
    this.#resolved.set(text, resolved)
    return resolved
  }

  #resolve(text: string): Resolved {
    const { label } = this.naming
    const labelled = this.#labels.get(text)
    const asLabel = labelled === undefined ? undefined : this.#read(labelled, 'a label')
    const time = parseCellTime(text)
    if (label === undefined && asLabel !== undefined) {
      return this.#isOtherInUtc(asLabel.at, time) ? { fault: 'utc' } : asLabel
    }
    switch (time.kind) {
      case 'none':
        return asLabel ?? this.#noTime(time.fault, text)
      case 'date':
        return this.#hasDays ? this.#day(time.wall) : (asLabel ?? this.#noDay(time.wall))
      case 'local':
        if (this.#local !== undefined) return { wall: time.wall }
        return this.#instant(this.naming.utc ? time.wall : this.#zone.instantAt(time.wall))
      case 'instant':
        return this.#instant(time.instant)
    }
  }

  /** Whether a label without an offset would mean another time if such times are UTC. */
  #isOtherInUtc(at: number, time: CellTime): boolean {
    const { start, end } = this.periods[at] as Period
    return (
      this.naming.utc === true && time.kind === 'local' && time.wall !== start && time.wall !== end
    )
  }

  #noTime(fault: TimeFault, text: string): Resolved {
    const isOther = fault === 'syntax' || fault === 'offset-missing'
    const isLeftOut = this.naming.outside !== undefined && text !== ''
    if (isLeftOut && (isOther || fault === 'digits')) return { outside: 'text' }
    return { fault: isOther ? 'unknown' : fault }
  }

  #day(wall: WallTime): Resolved {
    const [start, end] = this.#toEdges(wall)
    // A country that crosses the date line skips a day.
    if (start >= end) return { fault: 'calendar' }
    const { label = 'end' } = this.naming
    const at = label === 'start' ? this.#starts.get(start) : this.#ends.get(end)
    if (at !== undefined) return this.#read(at, `a date, read as the ${DAYS[label]} day`)
    const isOther = label === 'start' ? this.#ends.has(end) : this.#starts.has(start)
    return this.#missed(label === 'start' ? start : end, label, isOther)
  }

  /** The fault of a date if not all periods begin and end at midnight. */
  #noDay(wall: WallTime): Resolved {
    const [start, end] = this.#toEdges(wall)
    const [first, last] = [this.periods[0], this.periods.at(-1)]
    if (first === undefined || last === undefined) return { outside: 'time' }
    if (end <= first.start || start >= last.end) return { outside: 'time' }
    const isNamedByDates = parseCellTime(first.label).kind === 'date'
    if (isNamedByDates && this.naming.outside !== undefined) return { outside: 'text' }
    return { fault: isNamedByDates ? 'no-day' : 'date' }
  }

  #instant(instant: Instant): Resolved {
    const { label } = this.naming
    const [start, end] = [this.#starts.get(instant), this.#ends.get(instant)]
    if (label === undefined) {
      const toLabel = (at: number | undefined) => (at === undefined ? null : this.#toLabel(at))
      return { fault: 'asked', start: toLabel(start), end: toLabel(end) }
    }
    const at = label === 'start' ? start : end
    if (at !== undefined) return this.#read(at, `read as the ${label}`)
    return this.#missed(instant, label, (label === 'start' ? end : start) !== undefined)
  }

  #findLocal(wall: WallTime, row: string, line: number): Exclude<Resolved, { wall: WallTime }> {
    const { label = 'end' } = this.naming
    const period = this.#local?.find(wall, row, line) ?? 'none'
    if (typeof period === 'number') return this.#read(period, `local time, read as the ${label}`)
    if (period !== 'none') return { fault: period }
    const instants = this.#zone.instantsAt(wall)
    const match = instants.find((each) => label === 'end' && this.#ends.has(each))
    if (match !== undefined) {
      return { fault: 'own-ends', period: this.#toLabel(this.#ends.get(match) as number) }
    }
    const [instant] = instants
    return instant === undefined ? { fault: 'skipped' } : this.#missed(instant, label, false)
  }

  /** The fault of a time that no period has at the given end: outside all periods, or within one. */
  #missed(
    instant: Instant,
    label: PeriodEnd,
    isOther: boolean,
  ): { outside: 'time' } | { fault: 'inside' | 'other-end'; label: PeriodEnd; period: string } {
    const period = this.#around(instant)
    if (period === undefined) return { outside: 'time' }
    return { fault: isOther ? 'other-end' : 'inside', label, period: period.label }
  }

  /** The period that starts before an instant and ends after it. */
  #around(instant: Instant): Period | undefined {
    let [low, high] = [0, this.periods.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.periods[middle] as Period).end > instant) high = middle
      else low = middle + 1
    }
    const period = this.periods[low]
    return period !== undefined && period.start < instant ? period : undefined
  }

  #read(at: number, how: string) {
    const { label, start, end } = this.periods[at] as Period
    return { at, reading: `${how} of ${label} (${formatUtc(start)} to ${formatUtc(end)})` }
  }

  #fault(args: Omit<NameArgs, 'column' | 'found'>, found: string): Finding {
    return finding('period-name', {
      ...args,
      column: this.column,
      found: found.slice(0, SHOWN_TEXT),
    })
  }

  #leaveOut(fault: 'time' | 'text', found: string, line: number): void {
    const before = this.#leftOut.get(fault)
    if (before === undefined) this.#leftOut.set(fault, { count: 1, found, line })
    else before.count++
  }

  #toLabel(at: number): string {
    return (this.periods[at] as Period).label
  }

  /** The start and end of a local day. */
  #toEdges(wall: WallTime): readonly [start: Instant, end: Instant] {
    return [this.#zone.instantAt(wall), this.#zone.instantAt(wall + MICROS_PER_DAY)]
  }

  #isMidnight(instant: Instant): boolean {
    const wall = instant + this.#zone.offsetAt(instant)
    // If the clock skips midnight, the day begins later.
    return this.#zone.instantAt(Math.floor(wall / MICROS_PER_DAY) * MICROS_PER_DAY) === instant
  }
}

const DAYS = { start: 'first', end: 'last' } as const
const SHOWN_TEXT = 64

const wallText = (wall: WallTime) => new Date(wall / 1000).toISOString().slice(0, 19)
