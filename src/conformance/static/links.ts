import { STATIC_ROOT } from '../../contract/openapi/static.js'

/** Stands for the host of a folder, which has none. */
const FOLDER = 'http://folder.invalid/'

/** Where a page's `next_url` leads: to another page, nowhere (the end), or where it must not. */
export type NextLink =
  | { readonly kind: 'end' }
  | { readonly kind: 'wrong'; readonly why: string }
  | { readonly kind: 'page'; readonly place: string; readonly root: string }

/** The address of a page; a folder's places are paths below it. */
function addressOf(place: string): string {
  return /^https?:\/\//.test(place) ? place : FOLDER + place
}

/** What stands before the API's own path in an address; undefined where that path is not in it. */
function rootOf(address: string): string | undefined {
  const at = address.lastIndexOf(`${STATIC_ROOT}/forecasts`)
  return at < 0 ? undefined : address.slice(0, at)
}

/**
 * Reads `next_url` as a reference from the page that names it, or as an address. It leads to a page of
 * the same site: for a folder, whose address nobody knows, any one host will do, but the same one always.
 * @param place - the page's own: its final address, or its path in a folder.
 */
export function linkOf(nextUrl: unknown, place: string): NextLink {
  if (nextUrl === null) return { kind: 'end' }
  const wrong = (why: string): NextLink => ({ kind: 'wrong', why })
  if (typeof nextUrl !== 'string') return wrong('is not a string or null')
  if (nextUrl.trim() === '') return wrong('is empty; the last page must say null')
  const from = addressOf(place)
  if (!URL.canParse(nextUrl, from)) return wrong('is not an address')
  const url = new URL(nextUrl, from)
  if (url.username !== '' || url.password !== '') return wrong('holds credentials')
  const root = rootOf(url.origin + url.pathname)
  if (!/^https?:$/.test(url.protocol) || root === undefined) {
    return wrong(`leads to ${shown(url)}, which is not a page of the API`)
  }
  if (from.startsWith(FOLDER)) {
    // Not decoded: an encoded slash must not lead out of the folder.
    const path = url.pathname
    return { kind: 'page', place: path.slice(path.lastIndexOf(STATIC_ROOT) + 1), root }
  }
  if (root !== rootOf(from)) return wrong(`leads to ${shown(url)}, away from this site`)
  url.hash = ''
  return { kind: 'page', place: url.href, root }
}

function shown({ href }: URL): string {
  return href.length > 120 ? `${href.slice(0, 117)}...` : href
}
