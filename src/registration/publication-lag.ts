/** What of a plan, a registration or a result's settings says how late a forecast may come. */
export interface Admission {
  readonly mode: 'prospective' | 'retrospective'
  readonly publication_lag_minutes?: number | undefined
  readonly provenance_required: boolean
}

/**
 * Minutes after its origin in which a forecast may be made by what it saw meanwhile; 0 where a forecast
 * has to record when its inputs were known.
 */
export function unwatchedMinutes(admission: Admission): number {
  const { mode, publication_lag_minutes: lag = 0, provenance_required } = admission
  return mode === 'prospective' && !provenance_required ? lag : 0
}

/**
 * What the price so many minutes after the origin is worth by itself: the share by which it lowers
 * the overall loss of a forecast without any skill, were prices a random walk. Moves grow with the
 * square root of time there, so a loss at h hours falls from √h to √(h − lag).
 */
export function worthOfLag(minutes: number, horizons: readonly number[]): number {
  const loss = (known: number) =>
    horizons.reduce((sum, horizon) => sum + Math.sqrt(Math.max(0, horizon - known)), 0)
  return 1 - loss(minutes / 60) / loss(0)
}
