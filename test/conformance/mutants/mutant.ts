import type { RuleName } from '../../../src/contract/conformance-rules.js'
import type { Change, Exchange, Reply } from './proxy.js'

/** One thing that is wrong with a deployment: its name, the rules that must be named, what is changed. */
export type Mutant<C = Change> = readonly [
  name: string,
  rules: RuleName | readonly RuleName[],
  change: C,
]

type Rules = RuleName | `${RuleName} ${RuleName}`

/** What breaks a rule, or two of them, by its name. */
export function mutantsOf<C>(
  byRules: Readonly<Partial<Record<Rules, Readonly<Record<string, C>>>>>,
): Mutant<C>[] {
  return Object.entries(byRules).flatMap(([rules, changes]) =>
    Object.entries(changes).map(
      ([name, change]): Mutant<C> => [name, rules.split(' ') as RuleName[], change],
    ),
  )
}

/** One change for each of some values, by a name in which `%s` is the value. */
export const forEach = <V extends string, C>(
  values: readonly V[],
  name: string,
  change: (value: V) => C,
): Readonly<Record<string, C>> =>
  Object.fromEntries(values.map((value) => [name.replace('%s', () => value), change(value)]))

export const LATEST = '/v1/forecasts/latest'
export const HISTORY = '/v1/forecasts'
export const HEALTH = '/v1/health'

// biome-ignore lint/suspicious/noExplicitAny: bodies are broken on purpose
export type Any = any
export type BodyChange = (body: Any, exchange: Exchange) => unknown

/** Changes successful JSON bodies of some paths. */
export function inBody(paths: readonly string[], change: BodyChange): Change {
  return (exchange) => {
    const { reply, url } = exchange
    if (reply.status !== 200 || !paths.includes(url.pathname) || exchange.method === 'HEAD') return
    edited(reply, (body) => change(body, exchange))
  }
}

/** Changes the JSON body of an answer. */
export function edited(reply: Reply, change: (body: Any) => unknown): void {
  const body = JSON.parse(String(reply.body))
  change(body)
  reply.body = JSON.stringify(body)
}

export const history = (change: BodyChange) => inBody([HISTORY], change)
export const latest = (change: BodyChange) => inBody([LATEST], change)
export const health = (change: BodyChange) => inBody([HEALTH], change)
/** Every row of every page, and the latest. */
export const rows = (change: (row: Any, index: number) => unknown) =>
  inBody([HISTORY, LATEST], (body) => {
    for (const [index, row] of [body.data].flat().entries()) change(row, index)
  })
/** Every freshness object of forecasts and pages. */
export const freshness = (change: (freshness: Any) => unknown) =>
  inBody([HISTORY, LATEST], (body) => {
    change(body.freshness)
    for (const row of [body.data].flat()) change(row.freshness)
  })

/** Changes answers that meet a condition. */
export function when(
  condition: (exchange: Exchange) => boolean,
  change: (reply: Reply, exchange: Exchange) => unknown,
): Change {
  return async (exchange) => {
    if (condition(exchange)) await change(exchange.reply, exchange)
  }
}

export const errors = (change: (reply: Reply, exchange: Exchange) => unknown) =>
  when(({ reply, url }) => reply.status >= 400 && url.pathname !== '/readyz', change)
export const status = (wanted: number, change: (reply: Reply, exchange: Exchange) => unknown) =>
  when(({ reply, url }) => reply.status === wanted && url.pathname !== '/readyz', change)
export const path = (wanted: string, change: (reply: Reply, exchange: Exchange) => unknown) =>
  when(({ url }) => url.pathname === wanted, change)

export const isApi = ({ url }: { url: URL }) => !/^\/(?:livez|readyz|metrics)$/.test(url.pathname)
/** Changes every answer of the JSON routes. */
export const always = (change: (reply: Reply) => unknown): Change => when(isApi, change)

/** Says that an answer is of another media type. */
export const ofType = (value: string) => (reply: Reply) => (reply.headers['content-type'] = value)

/** Changes successes of a path. */
export const success = (wanted: string, change: (reply: Reply, exchange: Exchange) => unknown) =>
  when(({ reply, url }) => reply.status === 200 && url.pathname === wanted, change)

/** An error in the envelope in place of the answer. */
export function fail(reply: Reply, code: number, name: string, message = 'no'): void {
  reply.status = code
  reply.body = JSON.stringify({ api_version: 'v1', error: { code: name, message } })
}

/** A success with another answer: a status, a body. */
export const plain = (code: number, body: string, type?: string) => (reply: Reply) => {
  reply.status = code
  reply.body = body
  if (type !== undefined) reply.headers = { 'content-type': type }
}

/** Changes the first such text of a body, or all that a global pattern finds. */
export const text =
  (from: string | RegExp, to: string) =>
  (reply: Reply): void => {
    reply.body = String(reply.body).replace(from, to)
  }

/** Whether a question to the history was answered, or one with a key refused; and what it asked. */
export const isPage = ({ url, reply, method }: Exchange) =>
  url.pathname === HISTORY && reply.status === 200 && method === 'GET'
export const refused = ({ reply, method, headers }: Exchange) =>
  reply.status === 400 && method === 'GET' && headers.authorization !== undefined
export const has = ({ url }: Exchange, name: string) => url.searchParams.has(name)

/** Gives the answer of another path, where that is asked for. */
export const aliased = (wanted: string, other: string): Change =>
  path(wanted, (_, exchange) => instead(exchange, other))

/** Puts another answer in place of this one. */
export async function instead(exchange: Exchange, path: string, headers = {}): Promise<void> {
  Object.assign(exchange.reply, await exchange.ask(path, headers))
}

/** Answers as though another query had been sent. */
export async function asking(
  exchange: Exchange,
  change: (query: URLSearchParams) => void,
): Promise<void> {
  const url = new URL(exchange.url)
  change(url.searchParams)
  await instead(exchange, url.pathname + url.search)
}

/** Answers as though some parameters had not been sent. */
export const without = (exchange: Exchange, names: readonly string[]) =>
  asking(exchange, (query) => {
    for (const name of names) query.delete(name)
  })

/** Serves what is refused as though these parameters had not been sent. */
export const ignoring = (...names: string[]): Change =>
  when(
    (exchange) => refused(exchange) && names.some((name) => has(exchange, name)),
    (_, exchange) => without(exchange, names),
  )

/** Takes the first of a parameter that is repeated. */
export const firstOf = (name: string): Change =>
  when(
    ({ url }) => url.searchParams.getAll(name).length > 1,
    (_, exchange) => asking(exchange, (query) => query.set(name, query.get(name) ?? '')),
  )

/** The same as a change of a reply. */
export const failing = (code: number, name: string) => (reply: Reply) => fail(reply, code, name)

type Value = string | undefined

/**
 * Answers as though another value had been asked for, where the given one is this one, or fits, or the condition
 * holds; without another value, as though the parameter had not been sent.
 */
export function as(
  name: string,
  given: string | RegExp | ((value: string, exchange: Exchange) => boolean),
  other?: Value | ((given: string) => Value),
): Change {
  const fits = (value: string, exchange: Exchange) => {
    if (typeof given === 'function') return given(value, exchange)
    return typeof given === 'string' ? value === given : given.test(value)
  }
  return when(
    (exchange) => {
      const value = exchange.url.searchParams.get(name)
      return exchange.method === 'GET' && value !== null && fits(value, exchange)
    },
    (_, exchange) =>
      asking(exchange, (query) => {
        const replaced = typeof other === 'function' ? other(query.get(name) ?? '') : other
        if (replaced === undefined) query.delete(name)
        else query.set(name, replaced)
      }),
  )
}
