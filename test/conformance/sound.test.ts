import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { brokenRules } from '../../src/conformance/body.js'
import { findDifference } from '../../src/conformance/page-walk.js'
import { checkDeployment } from '../../src/conformance/run.js'
import { DYNAMIC_RULES, STATIC_RULES } from '../../src/contract/conformance-rules.js'
import { finding } from '../../src/contract/findings/finding.js'
import { HEAD_FILE, LATEST_FILE, pageFile, RECORD_FILE } from '../../src/site/layout.js'
import { sample } from '../history/samples.js'
import { addRows, EPOCH } from '../history/support.js'
import { publish } from '../site/build-site.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'
import { ROOT } from '../support/run.js'
import { type Host, host } from './mutants/host.js'
import { type Any, aliased, HISTORY, isPage, LATEST, text } from './mutants/mutant.js'
import type { Change } from './mutants/proxy.js'
import { broken, brokenBehind } from './mutants/run.js'
import { edit } from './mutants/sites.js'
import { hoursOfRows, KEY, newestHour, World, writeHealth } from './mutants/world.js'

const GUIDE = join(ROOT, 'docs/internals/stability.md')
const now = () => performance.timeOrigin + performance.now()

let world: World
beforeAll(async () => {
  world = await World.create(hoursOfRows(60))
  await world.publish()
})

/**
 * Members that version 1 does not know, in every object; another value each time, but not in what the
 * producer wrote of a forecast, which never changes.
 */
let made = 0
function withMore(value: unknown, next = () => made++): unknown {
  if (Array.isArray(value)) return value.map((item) => withMore(item, next))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, member]) => {
    // Its members are stages, not members of the contract.
    if (name === 'stages') return [name, member]
    const isOpen = name === 'evidence' || name === 'manifest'
    return [name, withMore(member, isOpen ? () => 7 : next)]
  })
  return { x_new: next(), ...Object.fromEntries(members), y_new: { z: [next(), null] } }
}
const withZ = (text: string) => text.replaceAll('+00:00', 'Z')

const json =
  (change: (value: unknown) => unknown): Change =>
  ({ reply, method }) => {
    if (method === 'HEAD' || !String(reply.headers['content-type']).includes('json')) return
    reply.body = JSON.stringify(change(JSON.parse(String(reply.body))))
  }

/** A proxy that passes on what is below /v1, and answers the rest itself. */
const onlyV1: Change = ({ reply, url }) => {
  if (url.pathname.startsWith('/v1/')) return
  Object.assign(reply, {
    status: 404,
    headers: { 'content-type': 'text/html' },
    body: '<html></html>',
  })
}

const SAME: readonly (readonly [string, Change])[] = [
  ['as it is', () => {}],
  ['with new members everywhere', json((value) => withMore(value))],
  [
    'with timestamps spelled with Z',
    ({ reply, url }) => {
      if (url.pathname.startsWith('/v1')) reply.body = withZ(String(reply.body))
    },
  ],
  ['without a Date', ({ reply }) => void Object.assign(reply.headers, { date: '' })],
  [
    'compressed',
    ({ reply, headers, method }) => {
      if (method === 'HEAD' || !/gzip/.test(String(headers['accept-encoding']))) return
      reply.body = gzipSync(reply.body)
      reply.headers['content-encoding'] = 'gzip'
    },
  ],
  [
    'with another forecast of the greatest origin as the latest',
    async ({ reply, url, ask }) => {
      if (url.pathname !== LATEST || reply.status !== 200) return
      const page = JSON.parse(String((await ask(`${HISTORY}?limit=5`)).body))
      reply.body = JSON.stringify({ ...JSON.parse(String(reply.body)), data: page.data[4] })
    },
  ],
  ['with a path that is percent-encoded without need', aliased('/v1/%66orecasts', HISTORY)],
  [
    'with ages in whole seconds',
    ({ reply }) => text(/"age_seconds":(\d+)\.\d+/g, '"age_seconds":$1')(reply),
  ],
]

describe('a service that keeps its word', () => {
  it.each(SAME)('passes: %s', async (_name, change) => {
    expect(await brokenBehind(world, change)).toEqual({})
  })

  it('is judged by every rule but those that it gives no occasion for', async () => {
    const { verdicts } = await checkDeployment(world.url, { key: KEY })
    expect(verdicts.map(({ rule }) => rule)).toEqual(DYNAMIC_RULES)
    const left = verdicts.filter(({ outcome }) => outcome !== 'passed').map(({ rule }) => rule)
    expect(left).toEqual(['latest-empty', 'rate-limited'])
  })

  it('is asked no more often than the guide says', async () => {
    let asked = 0
    expect(await brokenBehind(world, () => void asked++)).toEqual({})
    const [, said] = /asks a service some (\d+) times/.exec(readFileSync(GUIDE, 'utf8')) ?? []
    expect(Math.abs(asked - Number(said))).toBeLessThan(40)
  })

  it('passes behind a proxy that keeps probes to itself, when asked to', async () => {
    expect(await brokenBehind(world, onlyV1, { probes: false })).toEqual({})
    expect(Object.keys(await brokenBehind(world, onlyV1))).toEqual(
      expect.arrayContaining(['livez', 'readyz', 'metrics', 'path-refused']),
    )
  })

  it('passes when only a part of the history is looked at', async () => {
    expect(await brokenBehind(world, () => {}, { pages: 2 })).toEqual({})
    expect(await brokenBehind(world, () => {}, { pages: 1 })).toEqual({})
  })

  it('passes when forecasts come in meanwhile, new ones and late ones', async () => {
    const busy = await World.create(hoursOfRows(30, newestHour() - 2))
    const coming: Record<number, number> = { 30: -1, 50: 0, 70: -40 }
    let count = 0
    const grows: Change = (exchange) => {
      const hour = isPage(exchange) ? coming[count++] : undefined
      if (hour !== undefined) addRows(busy.history, hoursOfRows(1, newestHour() + hour))
    }
    expect(await brokenBehind(busy, grows)).toEqual({})
    expect(count).toBeGreaterThan(70)
  })

  // These two wait for the clock: both at once.
  it.concurrent('passes when its forecasts grow stale between two answers of one second', async () => {
    // So long after the start, the newest forecasts grow stale: after all refusals, before the last filters.
    const staleAt = now() + 12_000
    const staleAfterSeconds = Math.ceil((staleAt - EPOCH) / 1000 - newestHour() * 3600)
    const ageing = await World.create(hoursOfRows(30), { staleAfterSeconds })
    let count = 0
    let date: string | undefined
    const stops: Change = async (exchange) => {
      if (isPage(exchange)) count++
      if (count === 40 && date === undefined) {
        await pause(Math.max(0, staleAt - 1000 - now()))
        date = new Date(now()).toUTCString()
      }
      if (isPage(exchange) && count === 45) await pause(Math.max(0, staleAt + 2000 - now()))
      if (date !== undefined && count < 50) exchange.reply.headers.date = date
    }
    expect(await brokenBehind(ageing, stops)).toEqual({})
    expect(count).toBeGreaterThan(50)
  })

  it.concurrent('is asked again as its rate limit says', async () => {
    const limited = await World.create(hoursOfRows(3), { rateLimit: 20, rateWindowSeconds: 1 })
    const { verdicts, findings } = await checkDeployment(limited.url, { key: KEY })
    expect(findings).toEqual([])
    expect(verdicts.find(({ rule }) => rule === 'rate-limited')?.outcome).toBe('passed')
  })

  const few: readonly (readonly [string, number, number])[] = [
    ['no forecast', 0, 0],
    ['one forecast', 1, 0],
    ['two forecasts', 2, 0],
    ['nine forecasts', 9, 0],
    ['stale forecasts', 80, 1000],
    ['just one page of 100', 100, 0],
    ['just two pages of 100', 200, 5],
  ]
  it.each(few)('passes with %s', async (_name, count, hoursAgo) => {
    const rows = hoursOfRows(30, newestHour() - hoursAgo).slice(-count)
    const small = await World.create(count === 0 ? [] : rows)
    expect(await broken(small.url, { key: KEY })).toEqual({})
  })

  it('passes while its pipeline is degraded', async () => {
    const ill = await World.create(hoursOfRows(4))
    writeHealth(ill.health, 'degraded')
    expect(await broken(ill.url, { key: KEY })).toEqual({})
  })

  it('shows without a key what comes before it', async () => {
    const { findings, verdicts } = await checkDeployment(world.url, { withoutKey: true })
    expect(findings).toEqual([])
    expect(verdicts.find(({ rule }) => rule === 'key-missing')?.outcome).toBe('passed')
  })
})

describe('a site that keeps its word', () => {
  const FILES = [HEAD_FILE, LATEST_FILE, ...[1, 2, 3, 4].map(pageFile)]
  const changed = (change: (body: Any) => Any) => {
    const copy = world.copy()
    for (const file of FILES) {
      edit(file, (body) => {
        const other = change(structuredClone(body))
        for (const name of Object.keys(body)) delete body[name]
        Object.assign(body, other)
      })(copy)
    }
    return copy
  }

  it('passes, and is judged by every rule', async () => {
    const { verdicts } = await checkDeployment(world.site, { previous: world.site })
    expect(verdicts.map(({ rule }) => rule)).toEqual(STATIC_RULES)
    expect(verdicts.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
  })

  it('passes with new members everywhere, against a copy without them', async () => {
    const copy = changed((body) => withMore(body))
    const failed = Object.keys(await broken(copy, { previous: world.site }))
    // Bytes are others than those that were listed and compressed.
    expect(failed).toEqual(['checksums', 'encodings'])
  })

  it('passes through the link that publish moves, and in place, while it is built again and again', async () => {
    const busy = await World.create(hoursOfRows(61))
    await busy.publish()
    for (const inPlace of [false, true]) {
      const out = join(busy.folder, inPlace ? 'in-place' : 'site')
      let going = true
      const building = (async () => {
        while (going) {
          await publish(busy.history, out, Math.round(now() * 1000), { inPlace })
          await pause(200)
        }
      })()
      await vi.waitUntil(() => existsSync(join(out, HEAD_FILE)))
      try {
        for (let run = 0; run < 10; run++) expect(await broken(out)).toEqual({})
      } finally {
        going = false
        await building
      }
    }
  })

  // A loaded machine lets every writer stand still for as long as a look takes.
  it('passes where it is built in place again and again, with a writer that stands still now and then', async () => {
    const copy = world.copy()
    const files = [join(copy, HEAD_FILE), join(copy, RECORD_FILE)] as const
    const [head, record] = files.map((file) => readFileSync(file, 'utf8')) as [string, string]
    const write = (texts: readonly string[]) =>
      files.forEach((file, index) => void writeFileSync(file, texts[index] as string))
    const building = JSON.stringify({ ...JSON.parse(record), building: true })
    let looks = 0
    const onProgress = (text: string) => {
      if (text !== '1 pages') return
      looks++
      if (looks < 5) write([head + ' '.repeat(looks), building])
      if (looks === 7) write([head, record])
    }
    const { findings } = await checkDeployment(copy, { onProgress })
    expect(findings).toEqual([])
    expect(looks).toBe(7)
  })

  it('passes with timestamps spelled with Z', async () => {
    const copy = changed((body) => JSON.parse(withZ(JSON.stringify(body))))
    expect(Object.keys(await broken(copy))).toEqual(['checksums', 'encodings'])
  })

  it('passes with absolute addresses, in a folder and where they lead', async () => {
    let copy = ''
    const served = await host(() => copy)
    copy = changed((body) => {
      const { next_url } = body.pagination ?? {}
      if (next_url) {
        body.pagination.next_url = `${served.url}/service/api/v1/forecasts/${next_url.split('/').at(-1)}`
      }
      return body
    })
    expect(await broken(served.url)).toEqual({})
    expect(Object.keys(await broken(copy))).toEqual(['checksums', 'encodings'])
  })

  it('passes over the web, at a root, below a path and behind a redirection', async () => {
    const below = '/btc/forecasts'
    const moved = await host(
      () => world.site,
      ({ url }, response) => {
        if (url?.startsWith(below)) return false
        response.writeHead(301, { location: below + url }).end()
        return true
      },
      below,
    )
    const atRoot = await host(() => world.site)
    const addresses = [atRoot.url, moved.url, moved.url.replace(below, '')]
    for (const url of addresses) expect(await broken(url)).toEqual({})
  })

  it('passes when it is built anew while it is looked at', async () => {
    const before = world.copy()
    const busy = await World.create(hoursOfRows(61))
    let served: Host | undefined
    const after = await busy.publish()
    served = await host(() => ((served?.asked.length ?? 0) < 7 ? before : after))
    expect(await broken(served.url)).toEqual({})
  })

  it.each([0, 1, 99, 100, 101, 200])('passes with %s forecasts', async (count) => {
    const small = await World.create(hoursOfRows(30).slice(0, count))
    expect(await broken(await small.publish())).toEqual({})
  })

  it('passes with a late forecast, against its copy from before', async () => {
    const late = await World.create(hoursOfRows(60).filter((_row, index) => index !== 33))
    await late.publish()
    const before = late.copy()
    addRows(late.history, hoursOfRows(60))
    expect(await broken(await late.publish(), { previous: before })).toEqual({})
  })
})

// A build in place writes latest.json before the head: one that is stopped between the two leaves a
// head that cannot know what was newest later.
it('a latest.json ahead of its head is named for that, and not for its freshness', async () => {
  const built = await World.create(hoursOfRows(3, newestHour() - 1))
  await built.publish()
  const behind = built.copy()
  addRows(built.history, hoursOfRows(1))
  const later = await built.publish(performance.timeOrigin + performance.now() + 60_000)
  copyFileSync(join(later, LATEST_FILE), join(behind, LATEST_FILE))
  const found = Object.keys(await broken(behind)).sort()
  // Its checksum and its compressed copies are those of the former build.
  expect(found).toEqual(['checksums', 'encodings', 'latest-is-newest', 'snapshot'])
})

// One finding lists all that a body lacks; every rule that it breaks has to be reported all the same.
it.each([
  [['api_version'], ['api-version']],
  [['data'], ['envelope']],
  [
    ['api_version', 'data'],
    ['api-version', 'envelope'],
  ],
])('a body without %j breaks %j', (keys, rules) => {
  const fault = finding('missing-key', { keys }, { pointer: '' })
  expect(brokenRules(fault, () => 'envelope')).toEqual(rules)
})

describe('two readings of one forecast', () => {
  const base = sample({ hour: 1 })
  const withManifest = (manifest: Any) => ({ ...base, lineage: { ...base.lineage, manifest } })
  const before = withManifest({ code: { commit: 'c1', files: [{ name: 'a' }] } })
  it.each([
    ['is the same', { code: { files: [{ name: 'a' }], commit: 'c1' } }, true, true],
    ['has more', { code: { commit: 'c1', files: [{ name: 'a', more: 1 }] } }, false, true],
    ['has less', { code: { files: [{ name: 'a' }] } }, false, false],
    ['has another value', { code: { commit: 'c1', files: [{ name: 'b' }] } }, false, false],
    ['has another list', { code: { commit: 'c1', files: [] } }, false, false],
  ])('differ where the manifest deep inside %s', (_name, manifest, now, later) => {
    const other = withManifest(manifest)
    expect(findDifference(other, before)).toBe(now ? undefined : 'lineage.manifest')
    const since = findDifference(other, before, 'may have grown')
    expect(since).toBe(later ? undefined : 'lineage.manifest')
  })
})

it('an earlier copy without a page is none', async () => {
  const none = temporaryFolder()
  const ran = await inProcess(`conformance ${world.site} --previous ${none}`)
  expect(ran).toMatchObject({ code: 2, stdout: '' })
  expect(ran.stderr).toContain(`--previous ${none}: there is no site in it`)
})
