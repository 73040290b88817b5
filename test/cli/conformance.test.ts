import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { FORMATS } from '../../src/output/print.js'
import { HEAD_FILE, pageFile } from '../../src/site/layout.js'
import { KEY, World } from '../conformance/mutants/world.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'
import { serveHttp } from '../support/servers.js'

let world: World
beforeAll(async () => {
  world = await World.create()
  await world.publish()
})

const run = (line: string, key = KEY) => inProcess(`conformance ${line}`, { THE_KEY: key })
const WITH_KEY = '--key-env THE_KEY'

describe('conformance of a service', () => {
  it('says as a command what holds, in every format, and shows no key', async () => {
    for (const format of FORMATS) {
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
