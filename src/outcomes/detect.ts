import { layoutOfHeader, looksLikeSeconds, OBSERVATION, type OutcomeLayout } from './layout.js'
import type { OutcomeRow } from './row.js'
import type { OutcomeFormat } from './types.js'

/** The first rows a file is recognised by; enough to tell column orders apart by their prices. */
export const SAMPLE_ROWS = 64

export type Detected =
  | { readonly ok: true; readonly layout: OutcomeLayout; readonly rowsBefore: number }
  | {
      readonly ok: false
      readonly fault:
        | 'no-rows'
        | 'unknown'
        | 'ambiguous'
        | 'not-as-asked'
        | 'delimiter'
        | 'headless'
        | 'hub-days'
      readonly line: number
      readonly found: string
      readonly candidates: readonly OutcomeFormat[]
    }

const COMMENT = /^https?:\/\/|cryptodatadownload|disclaimer/i
const NUMBER = /^[+-]?\d/

/** Recognises the format of a file by its first rows; `asked` leaves one format to consider. */
export function detect(sample: readonly OutcomeRow[], asked?: OutcomeFormat): Detected {
  const commented = isComment(sample[0])
  const rows = commented ? sample.slice(1) : sample
  const first = rows[0]
  const fail = (fault: (Detected & { ok: false })['fault'], candidates: OutcomeFormat[] = []) =>
    ({
      ok: false,
      fault,
      line: first?.line ?? 1,
      found: shown(first),
      candidates,
    }) as const
  if (first === undefined) return fail('no-rows')
  const wrapped = first.cells.length === 1 && /[;\t|]/.test(first.cells[0] ?? '')
  if (wrapped) return fail('delimiter')
  if (!NUMBER.test(first.cells[0] ?? '')) {
    const layout = layoutOfHeader(first.cells, rows[1]?.cells ?? [])
    if (layout === undefined) {
      return fail(first.cells.includes(OBSERVATION) ? 'hub-days' : 'unknown')
    }
    const fits = asked === undefined || asked === layout.format || mayBe(layout, asked)
    if (!fits) return fail('not-as-asked', [layout.format])
    return {
      ok: true,
      layout: asked ? { ...layout, format: asked } : layout,
      rowsBefore: commented ? 2 : 1,
    }
  }
  if (first.cells.length === 2) return fail('headless', ['closes'])
  const layouts = withoutHeader(rows).flatMap((one) => {
    if (asked === undefined || one.format === asked) return [one]
    return mayBe(one, asked) ? [{ ...one, format: asked }] : []
  })
  const [layout, ...others] = layouts
  if (layout === undefined) return fail(asked === undefined ? 'unknown' : 'not-as-asked')
  if (others.length > 0)
    return fail(
      'ambiguous',
      layouts.map((one) => one.format),
    )
  return { ok: true, layout, rowsBefore: commented ? 1 : 0 }
}

/** Headers that two exchanges share: the columns are the same, so the user's word is taken. */
function mayBe(layout: OutcomeLayout, asked: OutcomeFormat): boolean {
  const alike: readonly OutcomeFormat[] = ['bitstamp', 'ccxt', 'kraken']
  return alike.includes(layout.format) && alike.includes(asked)
}

function isComment(row: OutcomeRow | undefined): boolean {
  // A spreadsheet gives the line as many columns as the others, all empty.
  const alone = row?.cells.slice(2).every((cell) => cell === '') === true
  return alone && COMMENT.test(row?.cells[0] ?? '')
}

/** Every layout that the rows of a file without a header could have. */
function withoutHeader(rows: readonly OutcomeRow[]): OutcomeLayout[] {
  const width = rows[0]?.cells.length ?? 0
  if (width === 12) return [{ format: 'binance', time: 0, close: 4, width, closeTime: 6 }]
  if (width === 7 || width === 8) return [{ format: 'kraken', time: 0, close: 4, width }]
  if (width !== 6) return []
  const ccxt: OutcomeLayout = { format: 'ccxt', time: 0, close: 4, width }
  const coinbase: OutcomeLayout = { format: 'coinbase', time: 0, close: 4, width }
  if (!looksLikeSeconds(rows[0]?.cells[0])) return [ccxt]
  const whole = rows.filter((row) => row.cells.length === width)
  const layouts: OutcomeLayout[] = []
  if (whole.every((row) => ordered(row, 1, 2))) layouts.push(coinbase)
  if (whole.every((row) => ordered(row, 3, 2))) layouts.push(ccxt)
  return layouts
}

/** True when no price among the row's four lies outside its low and high. */
function ordered(row: OutcomeRow, low: number, high: number): boolean {
  const prices = row.cells.slice(1, 5).map(Number)
  return (
    Math.min(...prices) === Number(row.cells[low]) &&
    Math.max(...prices) === Number(row.cells[high])
  )
}

function shown(row: OutcomeRow | undefined): string {
  const text = row?.cells.join(',') ?? ''
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}
