import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeFixtures } from '../../fixtures/make.mjs'
import { host } from '../conformance/mutants/host.js'
import { atEnd } from '../support/at-end.js'
import { temporaryFolder } from '../support/folder.js'
import { freePort } from '../support/free-port.js'
import { eventually } from '../support/service/serve.js'
import {
  blockWith,
  exchange,
  exchangeAll,
  guide,
  putProgram,
  runLines,
  startAuthority,
} from './snippets.js'

const LOG = 'forecasts.example.org/btcusd'

describe.each([
  ['time.md', ['w1.example.org', 'w2.example.net', 'w3.example.com', 'w4.example.edu']],
  [
    'witnesses.md',
    ['anna.example.net', 'ben.example.org', 'chris.example.com', 'dora.example.edu'],
  ],
] as const)('the witnesses of docs/%s', (page, names) => {
  const { text, snippets } = guide(page)
  const [whole = ''] = /^## The whole way, with witnesses$.*?^(?=## )/ms.exec(text) ?? []
  const home = temporaryFolder()
  const folder = join(home, 'forecasts')
  /** What the guide has an example for, and what it is here. */
  const here = new Map<string, string>()
  const exchanged = (text: string) => exchangeAll(text, here)
  let forecasts: string[] = []

  const parts = snippets.filter(({ text }) => !whole.includes(text))
  const block = (words: string, language?: string) => blockWith(words, parts, language)
  const run = (lines: string) => runLines(exchanged(lines), folder, home)

  /** So many of the made forecasts are there. */
  const forecast = (count: number) =>
    writeFileSync(join(folder, 'forecasts.ndjson'), `${forecasts.slice(0, count).join('\n')}\n`)

  beforeAll(async () => {
    putProgram(join(home, 'bin'))
    mkdirSync(join(folder, 'protocols', 'anchors'), { recursive: true })
    makeFixtures(join(home, 'made'), 2)
    forecasts = readFileSync(join(home, 'made', 'forecasts.ndjson'), 'utf8')
      .trimEnd()
      .split('\n')
    forecast(100)
    const { url, anchorPem } = await startAuthority('freetsa')
    writeFileSync(join(folder, 'protocols', 'anchors', 'freetsa.pem'), anchorPem)
    here.set('https://freetsa.org/tsr', url)
    here.set('https://forecasts.example.org', (await host(() => join(folder, 'site'))).url)
    if (page === 'time.md')
      await run('foreproof history import forecasts.ndjson --history history.sqlite')
  })

  it('know the key of the log, and begin', async () => {
    const [, vkey = ''] = /verifier key: (\S+)/.exec(await run(block('openssl genpkey'))) ?? []
    expect(vkey).toMatch(/^forecasts\.example\.org\/btcusd\+[0-9a-f]{8}\+\S{44}$/)
    here.set(`${LOG}+KEYID+KEY`, vkey)
    const [init = '', serve = ''] = block('foreproof witness --init').trim().split('\n')
    const port = await freePort(names.length)
    for (const [at, name] of names.entries()) {
      const place = join(home, name)
      mkdirSync(place)
      writeFileSync(join(place, 'logs.txt'), exchanged(block('logs/v0', 'text')))
      const own = (line: string) =>
        exchange(exchange(line, names[0], name), '/var/lib/witness/', '')
      const lines = [init, serve].map((line) =>
        page === 'time.md' ? own(line) : exchange(line, names[0], name),
      )
      const said = await runLines(lines[0]!, place, home)
      expect(said).toContain(`added: ${LOG}`)
      here.set(`${name}+KEYID+KEY`, said.split('\n')[0]!)
      const listening = `exec ${exchange(lines[1]!, '127.0.0.1:8090', `127.0.0.1:${port + at}`)}`
      const env = { ...process.env, PATH: `${join(home, 'bin')}:${process.env.PATH}` }
      const child = spawn('bash', ['-c', listening], { cwd: place, env, stdio: 'ignore' })
      atEnd(() => child.kill())
      const url = `http://127.0.0.1:${port + at}`
      here.set(`https://${name}`, url)
      await eventually(() =>
        fetch(url).then(
          ({ status }) => status === 404,
          () => false,
        ),
      )
    }
    writeFileSync(join(folder, 'witnesses.policy'), exchanged(block('quorum', 'text')))
  })

  it('cosign what is sealed', async () => {
    expect(await run(block('--witnesses witnesses.policy'))).toMatch(
      /cosigned by \w+, \w+, \w+, \w+\nstamped by freetsa/,
    )
  })

  it.runIf(page === 'time.md')('say to anyone what they have signed', async () => {
    cpSync(join(home, names[0], 'logs.txt'), join(folder, 'logs.txt'))
    expect(await run(block('cat logs.txt'))).toMatch(/^logs\/v0\nvkey /)
    expect(await run(block('curl https://w1'))).toContain(`${LOG}\n100\n`)
  })

  it.runIf(page === 'witnesses.md')('go on after a restore, once it was brought up', async () => {
    await run('foreproof history backup --history history.sqlite --out backup.sqlite')
    forecast(150)
    await run('foreproof history import forecasts.ndjson --history history.sqlite')
    const seal = block('--witnesses witnesses.policy')
    await run(seal)
    const said = await run(block('history pull'))
    expect(said).toContain('150 sealed, 150 of them new')
    expect(await run(block('history resume'))).toContain('50 entries and 1 checkpoint')
    expect(await run(seal)).toMatch(/cosigned by anna, ben, chris, dora\n/)
  })

  it.runIf(page === 'witnesses.md')('have no other commands', () => {
    const commands = snippets.filter(({ language }) => language === 'bash')
    expect(commands).toHaveLength(5)
  })
})
