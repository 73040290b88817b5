import { deflateSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { HEAD_FILE, pageFile } from '../../src/site/layout.js'
import { type Answering, host } from './mutants/host.js'
import { type Any, HISTORY, LATEST } from './mutants/mutant.js'
import type { Change, Exchange } from './mutants/proxy.js'
import { broken, brokenBehind, expectNamed } from './mutants/run.js'
import { edit, SITE_MUTANTS } from './mutants/sites.js'
import { hoursOfRows, readJson, World } from './mutants/world.js'

let world: World
beforeAll(async () => {
  world = await World.create(hoursOfRows(60))
  await world.publish()
})

const JUNK = 'this is not what the header says'

/** A body that does not decompress, where a condition holds. */
function junk(
  encoding: string,
  where: (exchange: Exchange) => boolean,
  body: string | Buffer = JUNK,
): Change {
  return (exchange) => {
    if (!where(exchange) || exchange.method === 'HEAD') return
    exchange.reply.headers['content-encoding'] = encoding
    exchange.reply.body = body
  }
}

describe('a service whose answers cannot be read', () => {
  it.each(['gzip', 'deflate', 'br'])(
    'ends in an error with words: all of them, %s',
    async (name) => {
      const failure = brokenBehind(
        world,
        junk(name, () => true),
      )
      await expect(failure).rejects.toMatchObject({ code: 'io', message: /does not decompress/ })
    },
  )

  it.each([
    ['gzip', JUNK],
    ['deflate', JUNK],
    ['deflate', deflateSync('{}').subarray(0, 5)],
    ['br', JUNK],
  ] as const)('is named where it is one route, %s', async (name, body) => {
    const isLatest = ({ url, reply }: Exchange) => url.pathname === LATEST && reply.status === 200
    const found = await brokenBehind(world, junk(name, isLatest, body))
    expect(Object.keys(found)).toContain('latest-newest')
  })

  it('is named where the connection is cut', async () => {
    const found = await brokenBehind(world, (exchange) => {
      exchange.cut = exchange.url.pathname === HISTORY && exchange.url.search === '?limit=0'
    })
    expect(Object.keys(found).sort()).toEqual(['check-order', 'error-envelope', 'limit-bounds'])
  })

  it('counts as gone when it does not answer any more', async () => {
    let count = 0
    const failure = brokenBehind(world, (exchange) => {
      exchange.cut = count++ > 40
    })
    await expect(failure).rejects.toMatchObject({ code: 'io' })
  })
})

/** The site over the web, with some of its answers made here. */
async function hosted(answers: Answering, folder = () => world.site, pages?: number) {
  const served = await host(folder, answers)
  return { found: await broken(served.url, { pages }), asked: served.asked }
}

/** What a changed copy of the site breaks over the web. */
const hostedCopy = async (copy: string) =>
  (
    await hosted(
      () => false,
      () => copy,
    )
  ).found

const at =
  (path: string, headers: Record<string, string>, body: string): Answering =>
  (request, response) => {
    if (request.url !== `/${path}`) return false
    response.writeHead(200, headers).end(body)
    return true
  }

describe('a site over the web', () => {
  it('ends in an error with words where its head does not decompress', async () => {
    const failure = hosted(at(HEAD_FILE, { 'content-encoding': 'gzip' }, JUNK))
    await expect(failure).rejects.toMatchObject({ code: 'io', message: /does not decompress/ })
  })

  it('is named where a page does not decompress', async () => {
    const { found } = await hosted(at(pageFile(2), { 'content-encoding': 'deflate' }, JUNK))
    expect(found['chain-complete']).toMatch(/does not decompress/)
  })

  /** A page after each page, as the second one is but for a change. */
  function endless(change: (body: Any) => void): Answering {
    let page = 0
    return ({ url }, response) => {
      if (!/page-/.test(url ?? '')) return false
      const body = readJson(`${world.site}/${pageFile(2)}`)
      change(body)
      body.pagination.next_url = `page-${String(5000 + page++).padStart(4, '0')}.json`
      response.end(JSON.stringify(body))
      return true
    }
  }

  it('is named, and left, where empty pages go on for ever', async () => {
    const { found, asked } = await hosted(endless((body) => (body.data = [])))
    expect(Object.keys(found)).toContain('chain-ends')
    expect(asked.length).toBeLessThan(40)
  })

  it('is left after so many pages where full ones go on for ever', async () => {
    const { found, asked } = await hosted(
      endless(() => {}),
      undefined,
      10,
    )
    expect(Object.keys(found)).toContain('each-once')
    expect(asked.filter((path) => /page-/.test(path)).length).toBeLessThan(25)
  })

  it('is not followed to another host, and never with credentials', async () => {
    let strangers = 0
    const stranger = await host(
      () => world.site,
      () => {
        strangers++
        return false
      },
    )
    for (const who of ['', 'user:secret@']) {
      const copy = world.copy()
      const away = stranger.url.replace('://', `://${who}`)
      edit(pageFile(3), (body) => {
        body.pagination.next_url = `${away}/${pageFile(2)}`
      })(copy)
      const found = await hostedCopy(copy)
      expect(found['next-url']).toMatch(who === '' ? /away from this site/ : /credentials/)
      expect(found['next-url']).not.toContain('secret')
    }
    expect(strangers).toBe(0)
  })

  // Counts of a folder are not to be had over the web, nor files far from those that are led to.
  const seen = SITE_MUTANTS.filter(
    ([name, rules]) => !rules.includes('build-record') && name !== 'a page that no page leads to',
  )
  it.each(seen.filter((_, index) => index % 6 === 2))(
    'is named: %s',
    async (_name, rules, change) => {
      const copy = world.copy()
      change(copy)
      expectNamed(rules, await hostedCopy(copy))
    },
  )

  it.each(['a chain that skips a page', 'a chain that ends early', 'a head that is the only page'])(
    'is named, though its folder is not seen: %s',
    async (name) => {
      const [, , change = () => {}] = SITE_MUTANTS.find(([each]) => each === name) ?? []
      const copy = world.copy()
      change(copy)
      expectNamed('pages-reachable', await hostedCopy(copy))
    },
  )
})

describe('a folder of a stranger', () => {
  it.each([
    '../../../../../../etc/service/api/v1/forecasts/passwd',
    'forecasts/..%2F..%2F..%2F..%2F..%2Fetc%2Fpasswd',
    'forecasts/%zz.json',
    'forecasts/page-0003.json/',
  ])('is judged though its next_url leads to no page of it: %s', async (url) => {
    const copy = world.copy()
    edit(HEAD_FILE, (body) => {
      body.pagination.next_url = url
    })(copy)
    expect(Object.keys(await broken(copy))).toContain('chain-complete')
  })
})
