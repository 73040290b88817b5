import type { Freshness } from '../../../contract/types.js'
import { byId, el, fill } from './dom.js'
import { span, timeElement } from './words.js'

/** Shows how old the newest forecast is now; it has aged since the site was built. */
export function showFreshness(freshness: Freshness, snapshotAt: string, empty: boolean): void {
  const banner = byId('freshness')
  if (empty) {
    banner.dataset.status = 'unknown'
    fill(
      'freshness',
      el('strong', {}, 'No forecasts yet.'),
      ' The history was empty when this site was built, on ',
      timeElement(snapshotAt),
      '. They will appear with the next build that finds one.',
    )
    return
  }
  const threshold = Number(document.documentElement.dataset.staleAfter)
  const age = (Date.now() - Date.parse(freshness.observed_at)) / 1000
  let status: string = freshness.status
  if (status === 'fresh' && age > threshold) status = 'stale'
  const newest = [' The newest forecast was made on ', timeElement(freshness.observed_at)]
  const words: Record<string, (Node | string)[]> = {
    fresh: [el('strong', {}, 'Fresh.'), ...newest, `, ${span(age)} ago.`],
    stale: [
      el('strong', {}, 'Stale.'),
      ...newest,
      `, ${span(age)} ago. Do not use it as a current forecast.`,
    ],
    unknown: [
      el('strong', {}, 'Freshness unknown.'),
      ...newest,
      '; how old that is was not known when the site was built.',
    ],
  }
  banner.dataset.status = status
  fill('freshness', ...(words[status] ?? []))
  fill(
    'snapshot',
    'Built on ',
    timeElement(snapshotAt),
    '. Nothing here changes until the next build.',
  )
}
