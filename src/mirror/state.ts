import { compareKeys, type ForecastKey } from '../contract/order.js'

/** A stretch of the history that is not here yet: from a page on, down to a row that is. */
export interface Gap {
  /** The page to go on with. */
  readonly next: string
  /** Newest row below the gap; null where it reaches to the oldest. */
  readonly until: ForecastKey | null
}

/** How far a mirror has come; kept beside its rows, and committed with them. */
export interface PullState {
  readonly version: 1
  /** Newest row ever pulled. */
  readonly newest: ForecastKey | null
  /** Newest gap first. */
  readonly gaps: readonly Gap[]
}

/** The state before the first pull. */
export const NOTHING_PULLED: PullState = { version: 1, newest: null, gaps: [] }

/** Reads what an earlier run has kept; anything unreadable counts as nothing. */
export function readState(text: string | undefined): PullState {
  try {
    const state = JSON.parse(text ?? '') as PullState
    return state.version === 1 && Array.isArray(state.gaps) ? state : NOTHING_PULLED
  } catch {
    return NOTHING_PULLED
  }
}

/** Pure: begins a new gap at the head, above all that has been pulled. */
export function beginAt(state: PullState, head: string): PullState {
  return { ...state, gaps: [{ next: head, until: state.newest }, ...state.gaps] }
}

/** Pure: what is left to do once a page of the newest gap has been stored. */
export function afterPage(
  state: PullState,
  keys: readonly ForecastKey[],
  next: string | null,
): PullState {
  const [gap, ...others] = state.gaps
  if (gap === undefined) return state
  const [first] = keys
  const newer =
    first !== undefined && (state.newest === null || compareKeys(first, state.newest) < 0)
  const { until } = gap
  const closed =
    next === null || (until !== null && keys.some((key) => compareKeys(key, until) >= 0))
  return {
    version: 1,
    newest: newer ? first : state.newest,
    gaps: closed ? others : [{ ...gap, next }, ...others],
  }
}
