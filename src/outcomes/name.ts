const BASES = 'XXBT|BTC|XBT|ETH|XETH|BCH|LTC|XRP|SOL|ADA|DOGE|DOT|AVAX|LINK|BNB|TRX|XLM|MATIC'
const QUOTES = 'USDT|USDC|BUSD|FDUSD|TUSD|ZUSD|USD|EUR|GBP|JPY|KRW|AUD|CAD|CHF|TRY|BTC|ETH'
const PAIR = new RegExp(`(?<![A-Z])(?:${BASES})[-_/ ]?(?:${QUOTES})(?![A-Z])`, 'g')

const SOURCES = ['coinbase', 'kraken', 'bitstamp', 'binance', 'bitfinex', 'gemini', 'okx', 'bybit']

/**
 * The pair that a file's name, or what an API's answer says around its bars, states when it is
 * another than BTC/USD. Most exports of exchanges name the pair nowhere else.
 */
export function otherPairIn(name: string): string | undefined {
  const pairs = name.toUpperCase().match(PAIR) ?? []
  if (pairs.length === 0 || pairs.some(isBitcoinDollar)) return undefined
  return pairs[0]
}

/** The exchange a file's name states, in lower case. */
export function sourceIn(name: string): string | undefined {
  const lower = name.toLowerCase()
  return SOURCES.find((source) => lower.includes(source))
}

/** True for the spellings exchanges have for BTC/USD: BTC-USD, XBTUSD, XXBTZUSD. */
export function isBitcoinDollar(symbol: string): boolean {
  const bare = symbol.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
  return bare === 'BTCUSD' || bare === 'XBTUSD' || bare === 'XXBTZUSD'
}
