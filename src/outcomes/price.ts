export type PriceFault = 'empty' | 'not-a-number' | 'grouped' | 'not-finite' | 'zero' | 'negative'

export type ParsedPrice =
  | { readonly ok: true; readonly price: number }
  | { readonly ok: false; readonly fault: PriceFault }

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/
const NOT_FINITE = /^[+-]?(?:nan|inf|infinity)$/i
const GROUPED = /^[+-]?\$?\d{1,3}(?:[, _']\d{3})+(?:\.\d*)?$/

/** Reads a close in USD: a decimal number greater than zero that a double can hold. */
export function parsePrice(text: string): ParsedPrice {
  if (!DECIMAL.test(text)) return { ok: false, fault: faultOf(text) }
  const price = Number(text)
  if (!Number.isFinite(price)) return { ok: false, fault: 'not-finite' }
  if (price > 0) return { ok: true, price }
  return { ok: false, fault: price === 0 ? 'zero' : 'negative' }
}

function faultOf(text: string): PriceFault {
  if (text === '') return 'empty'
  if (NOT_FINITE.test(text)) return 'not-finite'
  return GROUPED.test(text) ? 'grouped' : 'not-a-number'
}

/**
 * The one spelling of a price in a vintage: the shortest decimal that reads back as the same double,
 * with at least one digit after the point (`42690.0`), whatever zeros or exponent the export had.
 */
export function priceText(price: number): string {
  const text = String(price)
  return Number.isInteger(price) && !text.includes('e') ? `${text}.0` : text
}
