export const LATEST = '/v1/forecasts/latest'
export const HISTORY = '/v1/forecasts'
export const HEALTH = '/v1/health'

/** A name that no model and no run has. */
export const NO_SUCH_NAME = 'conformance-check-no-such-name'

/** What is asked of the history, by parameter. */
export type Query = Readonly<Record<string, string | number>>

/** The history's path with a query. */
export function pathOf(query: Query): string {
  const pairs = Object.entries(query).map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
  return pairs.length === 0 ? HISTORY : `${HISTORY}?${pairs.join('&')}`
}
