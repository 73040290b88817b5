import { ForeproofError } from '../contract/error.js'

/** A base address without its final slash; undefined stays undefined. */
export function readBaseUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const wrong = (why: string) =>
    new ForeproofError('usage', `--base-url ${text}: ${why}`, {
      help: 'Give the address of the site, like https://example.org/btc.',
    })
  if (!URL.canParse(text)) throw wrong('is no address')
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw wrong('is no web address')
  if (url.username !== '' || url.password !== '') throw wrong('must not hold credentials')
  if (url.search !== '' || url.hash !== '') throw wrong('must end with its path')
  return url.href.replace(/\/+$/, '')
}
