import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { checkDeployment } from '../../src/conformance/run.js'
import { formatMessage } from '../../src/contract/findings/finding.js'
import { OUTPUT_FORMATS } from '../../src/output/print.js'
import { HEAD_FILE, pageFile } from '../../src/site/layout.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'
import { serveHttp } from '../support/servers.js'
import { type Answering, host } from './mutants/host.js'
import { SERVICES, SITES } from './mutants/lists.js'
import { type Any, HISTORY, history, LATEST, success } from './mutants/mutant.js'
import { behind } from './mutants/proxy.js'
import { broken, brokenBehind, brokenCopy, expectNamed } from './mutants/run.js'
import { edit, FOLDER_MUTANTS, SITE_MUTANTS } from './mutants/sites.js'
import { hoursOfRows, KEY, readJson, World } from './mutants/world.js'

// A sample: test/slow/conformance-mutants.test.ts and conformance-while-written.test.ts run all of them.
const EVERY = 120

/** One of so many of each list, the first one among them. */
function sample<T>(lists: Readonly<Record<string, readonly T[]>>): T[] {
  return Object.values(lists).flatMap((list) => list.filter((_, index) => index % EVERY === 0))
}

let world: World
beforeAll(async () => {
  world = await World.create(hoursOfRows(60))
  await world.publish()
})

describe('what is wrong is named by the rule that it breaks', () => {
  it.concurrent.each(sample(SERVICES))('a service: %s', async (_name, rules, change) => {
    expectNamed(rules, await brokenBehind(world, change))
  })

  it.each(sample(SITES))('a site: %s', async (_name, rules, change) => {
    expectNamed(rules, await brokenCopy(world, change))
  })

  it('one forecast is one finding, however often it is met', async () => {
    const ids = new Set<string>()
    const wrong = history((body) => {
      for (const row of body.data) {
        if (ids.size < 30) ids.add(row.forecast_id)
        if (ids.has(row.forecast_id)) row.interval.level = 80
      }
    })
    const proxy = await behind(world.service, wrong)
    try {
      const { findings, verdicts } = await checkDeployment(proxy.url, { key: KEY })
      const ofLevel = findings.filter(({ code }) => code === 'conformance-resource-level')
      expect(ofLevel).toHaveLength(20)
      expect(verdicts.find(({ rule }) => rule === 'resource-level')?.failures).toBe(30)
      const said = formatMessage(ofLevel[0]!).text
      const [id] = ids
      expect(said).toContain(`here: ${id}: must be less than 1; found 80 (met `)
      expect(said).toMatch(/\(met \d+ times\)$/)
    } finally {
      proxy.close()
    }
  })

  it.each(FOLDER_MUTANTS)('a folder: %s', async (_name, rules, change) => {
    expectNamed(rules, await brokenCopy(world, change, true))
  })
})

const JUNK = 'this is not what the header says'

describe('a service whose answers cannot be read', () => {
  it('is named where one route does not decompress', async () => {
    const junk = success(LATEST, (reply) => {
      reply.headers['content-encoding'] = 'gzip'
      reply.body = JUNK
    })
    expect(Object.keys(await brokenBehind(world, junk))).toContain('latest-newest')
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
async function hosted(answers: Answering, pages?: number) {
  const served = await host(() => world.site, answers)
  return { found: await broken(served.url, { pages }), asked: served.asked }
}

/** What a changed copy of the site breaks over the web. */
const hostedCopy = async (copy: string) => broken((await host(() => copy)).url)

describe('a site over the web', () => {
  it('is named where a page does not decompress', async () => {
    const { found } = await hosted((request, response) => {
      if (request.url !== `/${pageFile(2)}`) return false
      response.writeHead(200, { 'content-encoding': 'deflate' }).end(JUNK)
      return true
    })
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
    const full = endless(() => {})
    const { found, asked } = await hosted(full, 10)
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

/** Runs the command. */
const run = (line: string, key = KEY) => inProcess(`conformance ${line}`, { THE_KEY: key })
const WITH_KEY = '--key-env THE_KEY'

describe('conformance of a service', () => {
  it('says as a command what holds, in every format, and shows no key', async () => {
    for (const format of OUTPUT_FORMATS) {
      const ran = await run(`${world.url} ${WITH_KEY} --format ${format}`)
      expect(ran).toMatchObject({ code: 0, stderr: '' })
      expect(ran.stdout).not.toContain(KEY)
    }
  })

  it('has every rule as a case of JUnit, with its section; the one that fails says where', async () => {
    const site = world.copy()
    rmSync(join(site, pageFile(1)))
    const { code, stdout } = await run(`${site} --format junit`)
    expect(code).toBe(1)
    expect(stdout).toMatch(/<testcase [^>]*name="§[\d.]+ chain-complete"[^>]*>\s*<failure/)
    expect(stdout).toMatch(/<testcase [^>]*name="§[\d.]+ api-version"[^>]*\/>/)
    expect(stdout.match(/<testcase /g)?.length).toBeGreaterThan(20)
  })

  it('gives the same forecast as the static site, byte for byte but for its freshness', async () => {
    const headers = { authorization: `Bearer ${KEY}` }
    const answer = await fetch(`${world.url}/v1/forecasts?limit=100`, { headers })
    const items = (text: string) =>
      [...text.matchAll(/\{"forecast_id":.*?(?=,"freshness")/g)].map(([item]) => item)
    const published = items(readFileSync(join(world.site, HEAD_FILE), 'utf8'))
    expect(published.length).toBeGreaterThan(20)
    expect(items(await answer.text()).slice(0, published.length)).toEqual(published)
  })

  it('is not green without a key, unless no more was asked for', async () => {
    const { code, stdout } = await run(world.url)
    expect(code).toBe(1)
    expect(stdout).toMatch(/without a key, only \d\d of \d\d rules could be judged/)
    expect(stdout).toMatch(/--key-env.*--without-key/)
    expect((await run(`${world.url} --without-key`)).code).toBe(0)
  })

  it('ends with 3 where the key is refused: nothing was judged', async () => {
    const { code, stdout, stderr } = await run(`${world.url} ${WITH_KEY} --format json`, 'another')
    expect(code).toBe(3)
    expect(stdout + stderr).toMatch(/does not accept this key/)
    expect(stdout + stderr).not.toContain('another')
  })

  it('leaves out what a proxy keeps to itself, and says so', async () => {
    const { code, stdout } = await run(`${world.url} ${WITH_KEY} --no-probes`)
    expect(code).toBe(0)
    expect(stdout).toMatch(/n\/a +metrics-count .*left out by --no-probes/)
  })
})

// Which bodies do not decompress is tried in test/remote/client.test.ts.
it.each(['conformance @', 'conformance @ --key-env THE_KEY', 'history pull @ --history NONE'])(
  '%s cannot be done where bodies do not decompress, and says why',
  async (line) => {
    const url = await serveHttp((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('junk'),
    )
    const none = join(temporaryFolder(), 'none.sqlite')
    const ran = await inProcess(line.replace('@', url).replace('NONE', none), { THE_KEY: KEY })
    const said = new RegExp(`^foreproof: ${url}.*: the answer does not decompress as gzip\n`)
    expect(ran).toEqual({ code: 3, stdout: '', stderr: expect.stringMatching(said) })
    expect(existsSync(none)).toBe(false)
  },
)
