import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ForeproofError } from '../contract/error.js'
import { STATIC_ROOT } from '../contract/limits.js'
import { withoutSecrets } from '../contract/secrets.js'
import { readRegular } from '../files/regular.js'
import { parseWebAddress } from './address.js'
import { ATTEMPTS_INDEX } from './attempts.js'
import { type Client, createClient } from './client.js'
import { LOG_FOLDER } from './log.js'

/** Far above the size of the longest page. */
const MAX_FILE_BYTES = 256 * 1_048_576

/** `static`: the files of a built site. `dynamic`: a service that answers from its history. */
export type Variant = 'static' | 'dynamic'

/** Bytes of a deployment, and their source. */
export interface Fetched {
  /** The file or the address, for findings. */
  readonly where: string
  readonly bytes: Uint8Array
}

/** A published forecast history: a folder, a static site, or a service. */
export interface Deployment {
  readonly variant: Variant
  /** True for a folder on this machine. */
  readonly isFolder?: boolean
  /** Stays the same from run to run. */
  readonly id: string
  /** Where reading starts: the newest page. */
  readonly head: string
  /** Where a static deployment lists the recorded attempts, if it publishes any. */
  readonly attempts?: string
  /** The folder that a static deployment publishes its sealed log in, if it has one. */
  readonly log?: string
  /** Reads a page; undefined if it does not exist (any more). */
  read(address: string): Promise<Fetched | undefined>
  /** The next page that a page's body names, or null at the end. */
  next(body: unknown, address: string): string | null
}

/**
 * Maximum number of pages in one run: ten million forecasts at a hundred per page. Without a limit, a server could
 * invent next pages for ever.
 */
export const MAX_PAGES = 100_000

const HEAD = `${STATIC_ROOT}/forecasts.json`
const ATTEMPTS = `${STATIC_ROOT}/${ATTEMPTS_INDEX}`
const LOG = `${STATIC_ROOT}/${LOG_FOLDER}`

/** True for an existing folder; any other source of a deployment is treated as an address. */
export function isFolder(source: string): boolean {
  try {
    return statSync(source).isDirectory()
  } catch {
    return false
  }
}

/**
 * Parses the web address that a user gave.
 * @throws {ForeproofError} `usage` if it is not one, or contains credentials.
 */
function parseDeploymentAddress(source: string): URL {
  const url = parseWebAddress(source)
  if (url !== undefined) return url
  const message = `${withoutSecrets(source)}: is neither a folder nor a web address`
  const help = 'Give a site’s folder, or an address like https://example.org (without credentials).'
  throw new ForeproofError('usage', message, { help })
}

/** A built site on disk. Of `next_url` only the path is used, so any host may be named. */
export function folderDeployment(folder: string): Deployment {
  return {
    variant: 'static',
    isFolder: true,
    id: resolve(folder),
    head: HEAD.slice(1),
    attempts: ATTEMPTS.slice(1),
    log: LOG.slice(1),
    read: async (address) => {
      const file = join(folder, address)
      try {
        return { where: file, bytes: readRegular(file, MAX_FILE_BYTES) }
      } catch (cause) {
        const why = (cause as ForeproofError).cause as NodeJS.ErrnoException | undefined
        if (why?.code === 'ENOENT') return undefined
        throw cause
      }
    },
    next: (body, address) => {
      const url = nextUrl(body)
      if (url === null) return null
      const path = resolveLink(url, `http://site.invalid/${address}`)?.pathname
      if (path === undefined) return encodeURIComponent(url)
      const at = path.lastIndexOf(`${STATIC_ROOT}/`)
      return at < 0 ? path.slice(1) : path.slice(at + 1)
    },
  }
}

/** A built site behind a web server; its pages link to the next one by `next_url`. */
export function staticDeployment(base: URL, client: Client): Deployment {
  const root = toRoot(base)
  return {
    variant: 'static',
    id: root,
    head: `${root}${HEAD}`,
    attempts: `${root}${ATTEMPTS}`,
    log: `${root}${LOG}`,
    read: async (address) => (resolveLink(address, root) ? readFrom(client, address) : undefined),
    next: (body, address) => {
      const url = nextUrl(body)
      return url === null ? null : (resolveLink(url, address)?.href ?? url)
    },
  }
}

/** A running service; its pages link to the next one by cursors. */
function dynamicDeployment(base: URL, client: Client): Deployment {
  const root = toRoot(base)
  const head = `${root}/v1/forecasts?limit=100`
  return {
    variant: 'dynamic',
    id: root,
    head,
    read: (address) => readFrom(client, address),
    next: (body) => {
      const cursor = (body as { pagination?: { next_cursor?: unknown } }).pagination?.next_cursor
      return typeof cursor === 'string' ? `${head}&cursor=${encodeURIComponent(cursor)}` : null
    },
  }
}

/** The address of a deployment, given its own address or that of one of its resources. */
function toRoot(base: URL): string {
  const path = base.pathname
    .replace(/\/index\.html$/, '/')
    .replace(/\/service\/api\/v1(?:\/.*)?$/, '')
    .replace(/\/v1(?:\/(?:forecasts(?:\/latest)?|health))?$/, '')
    .replace(/\/+$/, '')
  return `${base.origin}${path}`
}

export interface DeploymentOptions {
  /** API key, sent only to the host of the address. With a key, the address is that of a service. */
  readonly key?: string | undefined
  /** Aborts requests to an address. */
  readonly signal?: AbortSignal | undefined
  /** Called before each wait that the host asks for, with its reason. */
  readonly onWait?: ((seconds: number, why: string) => void) | undefined
}

/**
 * Opens a published forecast history: the folder of a built site, or the address of a static site or of a service. The
 * address of one of its pages works too.
 * @throws {ForeproofError} `usage` if it is neither a folder nor an address; `io` if no answer comes.
 */
export async function openDeployment(
  source: string,
  options: DeploymentOptions = {},
): Promise<Deployment> {
  if (isFolder(source)) return folderDeployment(source)
  return (await openAddress(source, options)).deployment
}

/** Opens the deployment at an address, with its client: a service if there is a key, or if no static head exists. */
export async function openAddress(
  address: string,
  { key, onWait, signal }: DeploymentOptions,
): Promise<{ readonly deployment: Deployment; readonly client: Client }> {
  const base = parseDeploymentAddress(address)
  const client = createClient({ key, keyOrigin: base.origin, onWait, signal })
  const site = staticDeployment(base, client)
  const isSite = key === undefined && (await client.ask(site.head)).status === 200
  return { client, deployment: isSite ? site : dynamicDeployment(base, client) }
}

/** Whether a page links to the next one by an address that contains a user name or a password. */
export function hasCredentialsInNext(body: unknown): boolean {
  const url = nextUrl(body)
  const from = 'http://site.invalid'
  if (url === null || !URL.canParse(url, from)) return false
  const { username, password } = new URL(url, from)
  return username !== '' || password !== ''
}

/** The host of the next page if it differs from the host of the page that names it. */
export function otherHost(next: string, address: string): string | undefined {
  const [there, here] = [resolveLink(next, address), resolveLink(address, address)]
  return here !== undefined && there?.host !== here.host ? there?.host : undefined
}

function nextUrl(body: unknown): string | null {
  const url = (body as { pagination?: { next_url?: unknown } }).pagination?.next_url
  return typeof url === 'string' ? url : null
}

/** Resolves a link to a web address; undefined if it is not one. */
function resolveLink(link: string, from: string): URL | undefined {
  const url = URL.canParse(link, from) ? new URL(link, from) : undefined
  return url && /^https?:$/.test(url.protocol) ? url : undefined
}

async function readFrom(client: Client, address: string): Promise<Fetched | undefined> {
  const { status, bytes, url } = await client.ask(address)
  if (status === 200) return { where: url, bytes }
  if (status === 404 || status === 400 || status === 410) return undefined
  const help =
    status === 401
      ? 'Name the variable that holds your API key with --key-env.'
      : 'Try again later; what was pulled so far is kept.'
  throw new ForeproofError('io', `${address}: answers with status ${status}`, { help })
}
