import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { beforeAll, expect, it } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'
import { serveHttp } from '../support/servers.js'
import { filesIn, ledgerIn, trustedAuthority } from '../time/stamped-folder.js'

let root: string
let protocols: string
let url: string

beforeAll(async () => {
  root = temporaryFolder()
  protocols = join(root, 'protocols')
  cpSync(new URL('../../protocols', import.meta.url), protocols, { recursive: true })
  const protocol = ['--protocol', join(protocols, 'btcusd-hourly-1.json')]
  const { stdout } = await inProcess(['register', '--template', ...protocol])
  const cuts = ['0.003', '0.006']
  const text = stdout.replace(/"<cut-point[^"]*>"/g, () => cuts.shift() as string)
  const plan = JSON.parse(text.replace(/<[^"]*>/g, 'something'))
  plan.inference = { method: 'percentile-bootstrap' }
  writeFileSync(join(root, 'plan.json'), JSON.stringify(plan))
  const clock = { now: Date.now() * 1000 }
  const authority = await trustedAuthority(protocols, 'alpha', clock)
  url = await serveHttp(async (request, response) => {
    const query = await buffer(request)
    const type = request.url === '/page' ? 'text/html' : 'application/timestamp-reply'
    response.writeHead(200, { 'content-type': type }).end(await authority.reply(query))
  })
})

const register = (out: string, ...args: string[]) =>
  inProcess([
    ...['register', join(root, 'plan.json'), '--out', join(root, out)],
    ...['--protocol', join(protocols, 'btcusd-hourly-1.json'), ...args],
  ])

it('registers and has it stamped in one go', async () => {
  const ran = await register('a.json', '--stamp', url)
  expect(ran, ran.stdout).toMatchObject({ code: 0, stderr: '' })
  expect(ran.stdout).toMatch(/^time {9}stamped by 1 of 1 \(alpha [0-9a-f]{8}…\), \d{4}-/m)
  const entry = ledgerIn(protocols).lines.at(-1)?.entry
  expect(existsSync(join(protocols, 'stamps', String(entry?.entry_sha256), 'alpha.tsr'))).toBe(true)
})

it('keeps the registration when an authority fails, and says how to stamp it then', async () => {
  const page = `${url}/page`
  const ran = await register('b.json', '--stamp', page, '--stamp', page, '--format', 'json')
  expect(ran.code).toBe(3)
  const report = JSON.parse(ran.stdout)
  expect(report).toMatchObject({ written: true, stamps: [], ledger: { seq: 4 } })
  const failed = report.findings.filter(({ code }: { code: string }) => code === 'stamp-failed')
  expect(failed).toHaveLength(2)
  expect(readFileSync(join(root, 'b.json'), 'utf8')).toContain(report.registration.name)
  const text = await register('c.json', '--stamp', page)
  expect(text.code).toBe(3)
  expect(text.stdout).toMatch(/^time {9}self-declared$/m)
  expect(text.stdout).toContain(`foreproof stamp --dir ${protocols} --entry 5 --tsa URL`)
  const again = await inProcess(['stamp', '--dir', protocols, '--entry', '5', '--tsa', url])
  expect(again.code).toBe(0)
})

it.each([
  [3, 'no anchor', ['--stamp', 'http://127.0.0.1:1'], 'anchors'],
  [2, 'not the address', ['--stamp', 'freetsa'], ''],
])('writes nothing, and exits %i, where there is %s', async (code, says, args, hidden) => {
  const aside = join(root, 'aside')
  if (hidden !== '') {
    cpSync(join(protocols, hidden), aside, { recursive: true })
    rmSync(join(protocols, hidden), { recursive: true })
  }
  const before = filesIn(root)
  const ran = await register('d.json', ...args)
  expect(ran).toMatchObject({ code, stderr: expect.stringContaining(says) })
  expect(filesIn(root)).toEqual(before)
  if (hidden !== '') cpSync(aside, join(protocols, hidden), { recursive: true })
})

it('asks nobody in a dry run', async () => {
  const before = filesIn(root)
  expect(await register('d.json', '--dry-run', '--stamp', 'http://127.0.0.1:1')).toMatchObject({
    code: 0,
  })
  expect(filesIn(root)).toEqual(before)
})
