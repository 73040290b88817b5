import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { readAnchors } from '../../src/time/rfc3161/anchors.js'
import { atEnd } from '../support/at-end.js'
import { freePort } from '../support/free-port.js'
import { ROOT } from '../support/run.js'
import { eventually } from '../support/service/serve.js'
import { exchange, following, runLines } from './snippets.js'

/** Has systemd look at a unit of a page, with the program that is built here. */
async function checkUnit(
  home: string,
  run: (lines: string) => Promise<string>,
  name: string,
  unit: string,
): Promise<void> {
  const file = join(home, name)
  writeFileSync(file, unit.replaceAll('/usr/bin/foreproof', join(home, 'bin', 'foreproof')))
  expect(await run(`systemd-analyze verify --man=no ${file}`)).toBe('')
}

describe('docs/time.md', () => {
  const { snippets, home, folder, block, run, meets } = following('time.md')
  /** The hourly command, as it is before there are witnesses. */
  const SEAL = 'history import forecasts.ndjson'

  /** A plan for hours that lie ahead, which asks for both authorities. */
  function writePlan(): void {
    const plan = JSON.parse(readFileSync(join(ROOT, 'fixtures', 'plan.json'), 'utf8'))
    const day = 24 * 3_600_000
    const first = Math.ceil((performance.timeOrigin + performance.now()) / day + 2) * day
    const hour = (at: number) => `${new Date(at).toISOString().slice(0, 13)}:00:00Z`
    const window = { from: hour(first), to: hour(first + 90 * day - 3_600_000) }
    const pinned = readAnchors(join(folder, 'protocols', 'anchors'))
    const time = {
      at_least: 2,
      authorities: pinned.map(({ name, sha256 }) => ({ name, anchor_sha256: sha256 })),
    }
    const planned = { ...plan, mode: 'prospective', window, time, commitment: 'stamped' }
    writeFileSync(join(folder, 'plan.json'), JSON.stringify(planned, null, 2))
  }

  beforeAll(async () => {
    for (const place of [join(home, 'anchors'), join(folder, 'downloads')]) mkdirSync(place)
    cpSync(join(ROOT, 'protocols'), join(folder, 'protocols'), { recursive: true })
    cpSync(join(home, 'made', 'forecasts.ndjson'), join(folder, 'forecasts.ndjson'))
    const freetsa = 'https://freetsa.org/tsr'
    for (const [file, pem] of await meets({ freetsa, digicert: 'http://timestamp.digicert.com' })) {
      writeFileSync(join(folder, 'downloads', file), pem)
      writeFileSync(join(home, 'anchors', file), pem)
    }
    cpSync(join(folder, 'downloads', 'freetsa.pem'), join(folder, 'downloads', 'cacert.pem'))
  })

  it('pins an anchor by the digest that OpenSSL prints', async () => {
    const said = await run(block('-fingerprint -sha256'))
    const anchors = join(folder, 'protocols', 'anchors')
    const [{ sha256 } = { sha256: '' }] = readAnchors(anchors)
    expect(said.replaceAll(':', '').toLowerCase()).toContain(sha256)
    expect(await run(block('-outform DER | sha256sum'))).toContain(sha256)
    cpSync(join(folder, 'downloads', 'digicert.pem'), join(anchors, 'digicert.pem'))
  })

  it('has a registration stamped, with network and without', async () => {
    writePlan()
    const said = await run(block('foreproof register'))
    expect(said).toMatch(/stamped by 2 of 2 \(((freetsa|digicert) [0-9a-f]{32}…(, )?){2}\)/)
    expect(await run(block('stamp --tsa'))).toContain('was there already')
    expect(await run(block('--query request.tsq'))).toContain('freetsa')
  })

  it('seals, publishes and is mirrored', async () => {
    const hourly = await run(block(SEAL))
    expect(hourly).toMatch(/stamped by ((freetsa|digicert)(, )?){2}/)
    await run(block('history pull'))
  })

  it('is checked with OpenSSL, sha256sum and head alone', async () => {
    const registration = await run(block('jq -jcS'))
    const entry = JSON.parse(
      readFileSync(join(folder, 'protocols', 'ledger.jsonl'), 'utf8').split('\n')[4] ?? '',
    ).entry_sha256
    expect(registration).toContain(`${entry}  -`)
    expect(registration).toContain('Verification: OK')
    // From the stamped entry to the document, whose numbers are written as RFC 8785 has them.
    const { registration_sha256: digest } = JSON.parse(
      readFileSync(join(folder, 'registration.json'), 'utf8'),
    )
    expect(await run(block('canonical.py <<'))).toBe(`${digest}\n${digest}  -\n`)
    const checkpoint = block('head -n 3')
    expect(await run(checkpoint)).toContain('Verification: OK')
    const forged = exchange(checkpoint, ' > body', ' | sed 2s/.$/7/ > body')
    await expect(run(forged)).rejects.toThrow(/Verification: FAILED/)
  })

  it('proves a single forecast by one file', async () => {
    expect(await run(block('history prove'))).toMatch(/freetsa/)
  })

  it('has a unit that systemd takes, and a line of cron that runs', async () => {
    const text = (language: string) =>
      snippets.find((each) => each.language === language)?.text ?? ''
    expect(text('ini')).toContain('foreproof history seal')
    await checkUnit(home, run, 'seal.service', text('ini'))
    await checkUnit(home, run, 'seal.timer', text('systemd'))
    expect(await run("systemd-analyze calendar '*:07:30'")).toContain('Next elapse')
    const [minute, , , , , ...line] = text('crontab').trim().split(' ')
    expect(Number(minute)).toBeLessThan(60)
    expect(await run(exchange(line.join(' '), '/srv/forecasts', folder))).toContain('nothing new')
  })

  it('has no snippet that is not run here', () => {
    const others = snippets.map(({ language }) => language).filter((each) => each !== 'bash')
    expect(others.sort()).toEqual(['crontab', 'ini', 'systemd'])
    const covered = [
      ...['-fingerprint -sha256', '-outform DER | sha256sum', 'foreproof register', 'stamp --tsa'],
      ...[
        '--query request.tsq',
        SEAL,
        'history pull',
        'jq -jcS',
        'head -n 3',
        'history prove',
        'canonical.py <<',
      ],
    ]
    expect(snippets.filter(({ language }) => language === 'bash')).toHaveLength(covered.length)
    for (const words of covered) expect(block(words)).not.toBe('')
  })
})

const LOG = 'forecasts.example.org/btcusd'

const names = ['anna.example.net', 'ben.example.org', 'chris.example.com', 'dora.example.edu']

describe('the witnesses of docs/witnesses.md', () => {
  const { snippets, home, folder, here, exchanged, block, run, meets } = following('witnesses.md')
  const forecasts = readFileSync(join(home, 'made', 'forecasts.ndjson'), 'utf8').split('\n')

  /** So many of the made forecasts are there. */
  const forecast = (count: number) =>
    writeFileSync(join(folder, 'forecasts.ndjson'), `${forecasts.slice(0, count).join('\n')}\n`)

  beforeAll(async () => {
    forecast(100)
    for (const [file, pem] of await meets({ freetsa: 'https://freetsa.org/tsr' })) {
      writeFileSync(join(folder, 'protocols', 'anchors', file), pem)
    }
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
      const lines = [init, serve].map((line) => exchange(line, names[0]!, name))
      const said = await runLines(lines[0]!, place, home)
      expect(said).toContain(`added: ${LOG}`)
      here.set(`${name}+KEYID+KEY`, said.split('\n')[0]!)
      const listening = `exec ${exchange(lines[1]!, '127.0.0.1:8090', `127.0.0.1:${port + at}`)}`
      const env = { ...process.env, PATH: `${join(home, 'bin')}:${process.env.PATH}` }
      const child = spawn('bash', ['-c', listening], { cwd: place, env, stdio: 'ignore' })
      atEnd(() => child.kill())
      const url = `http://127.0.0.1:${port + at}`
      here.set(`https://${name}`, url)
      await eventually(async () => (await fetch(url)).status === 404)
    }
    writeFileSync(join(folder, 'witnesses.policy'), exchanged(block('quorum', 'text')))
  })

  it('cosign what is sealed', async () => {
    expect(await run(block('--witnesses witnesses.policy'))).toMatch(
      /cosigned by \w+, \w+, \w+, \w+\nstamped by freetsa/,
    )
  })

  it('say to anyone what they have signed', async () => {
    expect(await run(block('curl https://anna'))).toContain(`${LOG}\n100\n`)
  })

  it('have a unit that systemd takes', async () => {
    const unit = snippets.find(({ language }) => language === 'ini')?.text ?? ''
    expect(unit).toContain('foreproof witness')
    await checkUnit(home, run, 'witness.service', unit)
  })

  it('go on after a restore, once it was brought up', async () => {
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

  it('have no other commands', () => {
    const commands = snippets.filter(({ language }) => language === 'bash')
    expect(commands).toHaveLength(6)
  })
})
