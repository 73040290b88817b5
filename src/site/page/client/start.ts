import type { ForecastResource, StaticPageBody } from '../../../contract/types.js'
import { drawChart } from './chart.js'
import { byId, el, fill } from './dom.js'
import { showFreshness } from './freshness.js'
import { historyTable, latestTable, swatch } from './tables.js'
import { formatHours, formatUsd, timeElement } from './words.js'

export async function read(path: string): Promise<StaticPageBody> {
  const response = await fetch(`service/api/v1/${path}`, { cache: 'no-cache' })
  if (!response.ok) throw new Error(`${path}: status ${response.status}`)
  return (await response.json()) as StaticPageBody
}

/** The number of the page in a next_url, whose address may be that of another site or base. */
export function parsePageNumber(nextUrl: string | null): number {
  return Number(/page-([0-9]+)\.json$/.exec(nextUrl ?? '')?.[1] ?? 0)
}

export function pagePath(number: number): string {
  return `forecasts/page-${String(number).padStart(4, '0')}.json`
}

/** All forecasts of the newest origin, which may continue on the second page. */
export async function newest(first: StaticPageBody): Promise<ForecastResource[]> {
  const origin = first.data[0]?.origin_at
  const rows = first.data.filter((row) => row.origin_at === origin)
  let page = first
  while (page.pagination.next_url !== null && page.data.at(-1)?.origin_at === origin) {
    page = await read(pagePath(parsePageNumber(page.pagination.next_url)))
    rows.push(...page.data.filter((row) => row.origin_at === origin))
  }
  return rows
}

export function showLatest(rows: readonly ForecastResource[]): void {
  const [first] = rows
  if (first === undefined) return
  const models = [...new Set(rows.map((row) => row.model.name))].sort()
  fill(
    'price',
    el('span', { class: 'figure' }, formatUsd(first.lineage.source.price_usd)),
    ' at ',
    timeElement(first.origin_at),
    `, ${first.lineage.source.name}`,
  )
  const level = `${Math.round(first.interval.level * 100)}\u2009%`
  fill('level', level)
  fill('legend', ...models.map((name, index) => el('li', {}, swatch(index), name)))
  fill('latest-table', latestTable(rows, models))
  byId('latest').hidden = false
  drawChart(rows, models)
  new ResizeObserver(() => drawChart(rows, models)).observe(byId('chart'))
}

export function showPage(page: StaticPageBody, index: number, count: number): void {
  const [first, last] = [page.data[0], page.data.at(-1)]
  const caption = `Page ${index} of ${count}, newest first`
  fill('history-table', historyTable(page.data, caption))
  if (first !== undefined && last !== undefined) {
    fill(
      'position',
      `Page ${index} of ${count}: `,
      timeElement(last.origin_at),
      ' to ',
      timeElement(first.origin_at),
    )
  }
  const newer = byId('newer') as HTMLButtonElement
  const older = byId('older') as HTMLButtonElement
  newer.disabled = index === 1
  older.disabled = index === count
}

/** Lets a reader page through the forecasts; the address keeps the current page. */
export function turnPages(
  count: number,
  pageAt: (index: number) => StaticPageBody | undefined | Promise<StaticPageBody | undefined>,
): void {
  const wanted = () => {
    const asked = Number(/^#page=([0-9]+)$/.exec(location.hash)?.[1] ?? 1)
    return Math.min(Math.max(1, asked), count)
  }
  const turn = async () => {
    const index = wanted()
    try {
      const page = await pageAt(index)
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

/** Browses pages that are named by position, the oldest by 1. */
export function browseNumbered(head: StaticPageBody): void {
  const count = parsePageNumber(head.pagination.next_url) + 1
  turnPages(count, (index) => (index === 1 ? head : read(pagePath(count - index + 1))))
}

/** Follows the system's light or dark theme until the reader chooses one. */
export function themes(): void {
  const root = document.documentElement
  const button = byId('theme')
  const dark = () =>
    root.dataset.theme === undefined
      ? matchMedia('(prefers-color-scheme: dark)').matches
      : root.dataset.theme === 'dark'
  const label = () => fill('theme', dark() ? 'Light' : 'Dark')
  button.addEventListener('click', () => {
    root.dataset.theme = dark() ? 'light' : 'dark'
    label()
  })
  label()
}

/** @param browse shows all pages, by their names on this site. */
export async function start(browse: (head: StaticPageBody) => void): Promise<void> {
  themes()
  try {
    const head = await read('forecasts.json')
    showFreshness(head.freshness, head.snapshot_at, head.data.length === 0)
    if (head.data.length === 0) return
    browse(head)
    const rows = await newest(head)
    showLatest(rows)
    const horizons = [...new Set(rows.map((row) => row.horizon_hours))].sort((a, b) => a - b)
    const last = horizons.pop() ?? 0
    fill(
      'horizons',
      horizons.length === 0 ? formatHours(last) : `${horizons.join(', ')} and ${formatHours(last)}`,
    )
  } catch {
    byId('freshness').dataset.status = 'stale'
    fill(
      'freshness',
      el('strong', {}, 'The forecasts could not be read.'),
      location.protocol === 'file:'
        ? ' Browsers read no data from plain files: open this folder through a web server, for example python3 -m http.server.'
        : ' Try again in a moment.',
    )
  }
}
