import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'
import { foreproof } from '../support/run.js'
import {
  add,
  address,
  answer,
  attempt,
  build,
  expected,
  expectWhole,
  faults,
  get,
  here,
  hours,
  objects,
  place,
  publishLine,
  put,
  puts,
  raw,
  remove,
  useObjectStore,
  walk,
} from './object-site.js'
import { BUCKET, KEYS } from './object-store.js'

// Stores that fail, prefixes where others write as well, and what is no store.

useObjectStore(temporaryFolder())

const refuse = (status: number, code: string) => (response: ServerResponse) =>
  answer(response, status, code)

describe('an upload that meets faults', () => {
  it('goes on after each of them', async () => {
    const reset = (response: ServerResponse) => response.socket?.resetAndDestroy()
    const faultsMet: ((response: ServerResponse, pass: () => void) => unknown)[] = [
      refuse(500, 'InternalError'),
      refuse(503, 'SlowDown'),
      refuse(429, 'TooMany'),
      reset,
      // Its work is done by then.
      (response, pass) => {
        response.end = () => reset(response) as never
        pass()
      },
      (_response, pass) => setTimeout(pass, 40),
    ]
    // Each object and list has a count of its own, from another number on, and meets a fault with every third try:
    // counted over all, a request might meet one with each of its tries, by the order in which others come.
    const counts = new Map<string, number>()
    here.store.meddle = ({ method, url }, response, pass) => {
      const asked = `${method} ${url}`
      const count = counts.get(asked) ?? counts.size
      counts.set(asked, count + 1)
      const fault = faultsMet[Math.floor(count / 3) % faultsMet.length]
      if (count % 3 === 0) fault?.(response, pass)
      else pass()
    }
    await build(100)
    add(hours(100, 104))
    add(hours(30, 32, 'late'))
    await build(104)
    here.store.meddle = undefined
    await expectWhole()
  })

  it('that do not end gives up, leaves the old site, and the next build makes up for it', async () => {
    await build(100)
    const old = await expected()
    add(hours(30, 32, 'late'))
    let served = 0
    here.store.meddle = (request, response, pass) => {
      if (request.method === 'PUT' && /page-/.test(request.url ?? '') && served++ > 4) {
        answer(response, 403, 'AccessDenied')
      } else pass()
    }
    await expect(build(101)).rejects.toMatchObject({ code: 'io' })
    here.store.meddle = undefined
    expect((await walk()).ids).toEqual(old)
    expect(await faults()).toContain(`site-unfinished s3://${BUCKET}/${here.prefix}/build.json`)
    await build(101)
    await expectWhole()
  })

  it('of a process that slept while another build came and went writes no head', async () => {
    await build(100)
    const before = await walk()
    add(hours(100, 102))
    let ticket = ''
    here.store.meddle = async ({ method, url = '' }, _response, pass) => {
      ticket ||= /\.foreproof-uploads\/\d+/.exec(url)?.[0] ?? ''
      if (method === 'PUT' && url.endsWith('/build.json')) {
        here.store.meddle = undefined
        await remove(ticket)
      }
      pass()
    }
    await expect(build(102)).rejects.toThrow(/another build of this site is at work/)
    expect(puts().filter((path) => /forecasts\.json|latest|^checksums\.txt/.test(path))).toEqual([])
    expect(await walk()).toEqual(before)
    await build(102)
    await expectWhole()
  })

  it('waits for no second build', async () => {
    let second: Promise<unknown> | undefined
    here.store.meddle = (request, _response, pass) => {
      if (/page-/.test(request.url ?? '') && second === undefined) {
        second = build(100).catch(({ code, message }) => `${code} ${message}`)
        void second.then(pass)
      } else pass()
    }
    await build(100)
    expect(await second).toBe(`unavailable ${place().out}: another build of this site is at work`)
    expect(await faults()).toEqual([])
  })
})

describe('what is wrong', () => {
  it.each<[string, (response: ServerResponse) => void, string | RegExp]>([
    ...['InvalidAccessKeyId', 'RequestTimeTooSkewed'].map((code) => {
      const says = `the credentials are refused (403 ${code})`
      return [code, refuse(403, code), says] satisfies [string, unknown, string]
    }),
    ['a session', refuse(400, 'ExpiredToken'), 'credentials are refused (400 ExpiredToken)'],
    ['a bucket', refuse(404, 'NoSuchBucket'), 's3://forecasts: there is no such bucket'],
    [
      'the region',
      (to) => refuse(301, 'PermanentRedirect')(to.setHeader('x-amz-bucket-region', 'eu-west-1')),
      'the bucket is in the region eu-west-1, not in us-east-1',
    ],
    [
      'the region in a signature',
      (to) => answer(to, 400, 'AuthorizationHeaderMalformed', '<Region>eu-west-1</Region>'),
      'region eu-west-1',
    ],
    ['all', refuse(418, 'IAm<b>ATeapot'), /the store answers with 418$/],
  ])('is reported: %s', async (_, meddle, words) => {
    here.store.meddle = (_request, response) => meddle(response)
    await expect(build(100)).rejects.toThrow(words)
    expect(here.store.asked).toHaveLength(1)
  })

  it.each<[string, (method: string, url: string) => boolean]>([
    ['s3:GetObject', (method, url) => method === 'GET' && !/list-type/.test(url)],
    ['s3:PutObject', (method) => method === 'PUT'],
    ['s3:ListBucket', (method) => method === 'GET'],
  ])('is a right, which is named: %s', async (right, meets) => {
    await build(100)
    here.store.meddle = ({ method = '', url = '' }, response, pass) =>
      meets(method, url) ? answer(response, 403, 'AccessDenied') : pass()
    const denied = `access is denied: ${right} is needed here (403 AccessDenied)`
    await expect(build(101)).rejects.toThrow(denied)
  })

  it('is not a denial of what the list says is not there', async () => {
    here.store.meddle = ({ method = '', url = '' }, response, pass) => {
      const end = response.end.bind(response)
      const denied = method === 'GET' && !url.includes('list-type')
      response.end = ((...args: Parameters<typeof end>) => {
        if (!denied || response.statusCode !== 404) return end(...args)
        response.removeHeader('content-length')
        response.statusCode = 403
        return end('<Error><Code>AccessDenied</Code></Error>')
      }) as typeof end
      pass()
    }
    await build(100)
    await build(101)
    expect(await faults()).toEqual([])
  })

  it.each<[string, string, RegExp]>([
    ['AWS_ACCESS_KEY_ID', '', /AWS_ACCESS_KEY_ID is not set/],
    ['AWS_SECRET_ACCESS_KEY', '', /AWS_SECRET_ACCESS_KEY is not set/],
    ['AWS_SECRET_ACCESS_KEY', 'hush\nhush', /AWS_SECRET_ACCESS_KEY: has a space/],
  ])('is reported before anything is asked: %s is %j', async (name, value, words) => {
    const failed = await build(100, { env: { ...KEYS, [name]: value } }).catch((cause) => cause)
    expect(failed).toMatchObject({ code: 'usage', message: expect.stringMatching(words) })
    expect(JSON.stringify([failed, failed.message, failed.help, failed.stack])).not.toMatch(/hush/)
    expect(here.store.asked).toEqual([])
  })

  it('never has credentials in it', async () => {
    const secrets = {
      AWS_ACCESS_KEY_ID: 'AKIDHUSHHUSH',
      AWS_SECRET_ACCESS_KEY: 'hushhush/secret',
      AWS_SESSION_TOKEN: 'hushhush-token',
    }
    const seen: string[] = []
    // A store that says back all that it was sent.
    const echo = (request: IncomingMessage, response: ServerResponse) => {
      const message = `<Message>${JSON.stringify(request.headers)}</Message>`
      answer(response, 403, 'AccessDenied', message)
    }
    const meddles = [
      echo,
      (_: unknown, response: ServerResponse) => answer(response, 403, 'SignatureDoesNotMatch'),
    ]
    for (const meddle of meddles) {
      for (const flags of [[], ['--check'], ['--dry-run'], ['--format', 'json']]) {
        here.store.meddle = (request, response) => {
          seen.push(String(request.headers.authorization))
          meddle(request, response)
        }
        const { code, stdout, stderr } = await inProcess([...publishLine(), ...flags], secrets)
        expect([code, stderr + stdout]).toEqual([3, expect.not.stringMatching(/hush/i)])
      }
    }
    expect(seen[0]).toContain('AKIDHUSHHUSH')
    expect(seen.join()).not.toMatch(/hush\/secret/)
  })

  it('is reported for options and places', async () => {
    const cases: [string[], RegExp][] = [
      [['--out', 's3://KEY:hush@bucket'], /is not that of a bucket/],
      [['--out', `s3://${BUCKET}//x`], /single slashes/],
      [['--out', `S3://${BUCKET}/x`], /other than s3:\/\/ cannot be written to/],
      [['--out', 'https://me:hush@localhost/x'], /other than s3:\/\/ cannot be written to/],
      [['--out', `s3://${BUCKET}/../x`], /prefix/],
      [['--out', `s3://${BUCKET}/x`, '--in-place'], /--in-place has no meaning for s3/],
      [['--out', 'x', '--endpoint', here.store.endpoint], /--endpoint has no meaning for a folder/],
      [
        ['--out', `s3://${BUCKET}/x`, '--endpoint', 'http://me:hush@x'],
        /must not hold credentials/,
      ],
      [['--out', `s3://${BUCKET}/x`], /Set AWS_REGION/],
    ]
    for (const [args, words] of cases) {
      const line = ['publish', '--history', here.history, ...args]
      const { code, stderr } = await inProcess(line, KEYS)
      expect([code, stderr]).toEqual([2, expect.stringMatching(words)])
      expect(stderr).not.toContain('hush')
    }
  })

  it('is not there: the command uploads and says so', async () => {
    const built = await foreproof(publishLine(), { env: KEYS })
    expect([built.code, built.stderr]).toEqual([0, ''])
    expect(built.stdout).toContain(`${place().out}: 600 forecasts, 5 pages besides the head`)
    // What it names is there.
    const [, head = ''] = /http:\S+\/(service\/\S+)/.exec(built.stdout) ?? []
    expect(await objects()).toContain(head)
    const planned = await foreproof([...publishLine(), '--dry-run', '--full'], { env: KEYS })
    expect(planned.stdout).not.toMatch(/page-/)
    const checked = await foreproof([...publishLine(), '--check', '--format', 'json'], {
      env: KEYS,
    })
    expect([checked.code, JSON.parse(checked.stdout)]).toMatchObject([0, { ok: true }])
    expect((await walk()).ids).toEqual(await expected())
  })
})

describe('what others have put below the prefix', () => {
  it.each(['index.html', '404.html', 'service/api/v1/forecasts.json', 'notes.txt'])(
    'is not written over by a first build: %s',
    async (path) => {
      await put(path, 'theirs')
      await expect(build(100)).rejects.toThrow(/holds objects that foreproof did not write/)
      expect(puts()).toEqual([])
      expect(await objects()).toEqual([path])
      expect(await (await get(path)).text()).toBe('theirs')
    },
  )

  it('stays when everything is written anew and after a build that was killed', async () => {
    await attempt('2026-01-01T00:00:00Z')
    await build(100)
    const theirs = [
      'btc/service/api/v1/forecasts/page-12482913075.json',
      'btc/build.json',
      'robots.txt',
      '.foreproof-uploads/notes',
      'service/api/v1/attempts/a b?c#d',
    ]
    for (const path of theirs) {
      await put(path.replaceAll('?', '%3F').replaceAll('#', '%23'), 'theirs')
    }
    await put('.foreproof-uploads/7', '{}')
    await build(100, { full: true })
    expect(await objects()).toEqual(expect.arrayContaining(theirs))
    expect((await walk()).ids).toEqual(await expected())
    expect((await faults()).every((fault) => fault.startsWith('site-file-unknown'))).toBe(true)
  })

  it('is not reached by a list that was forged', async () => {
    await build(100)
    const other = `${here.store.endpoint}/${BUCKET}/other-${here.prefix}/secret.json`
    await fetch(other, { method: 'PUT', body: 'theirs' })
    const record = JSON.parse(await (await get('build.json')).text())
    const name = `checksums-${record.generation}.txt`
    const up = `service/api/v1/attempts/../../../../../other-${here.prefix}/secret.json`
    const checksums = await (await get(name)).text()
    await put(name, `${checksums}${'0'.repeat(64)}  ${up}\n`)
    expect(await faults()).toContain(`site-file-differs s3://${BUCKET}/${here.prefix}/${up}`)
    await build(101)
    await build(103)
    expect(await (await fetch(other)).text()).toBe('theirs')
    expect((await walk()).ids).toEqual(await expected())
  })

  it('may be the empty object that a console makes for a folder', async () => {
    await put('', '')
    await build(100)
    expect(await faults()).toEqual([])
    expect(await objects()).toContain('')
  })
})

it('a copy of the site is no folder whose pages can be kept: they have other names', async () => {
  await build(100)
  const out = join(here.folder, `copy-${here.prefix}`)
  for (const path of await objects()) {
    mkdirSync(dirname(join(out, path)), { recursive: true })
    writeFileSync(join(out, path), (await raw(path)).bytes)
  }
  const { plan } = await build(101, { out, inPlace: true, endpoint: undefined })
  expect(plan.keptPages).toBe(0)
  const files = readdirSync(join(out, 'service/api/v1/forecasts'))
  const pages = [1, 2, 3, 4, 5].map((n) => `page-000${n}.json`)
  expect(files.filter((name) => /json$/.test(name)).sort()).toEqual(['latest.json', ...pages])
})

describe('a store that is none', () => {
  const list = (text: string) => `<ListBucketResult>${text}</ListBucketResult>`
  const ENDLESS = '<NextContinuationToken>a</NextContinuationToken>'
  afterEach(() => remove('build.json'))

  it.each<[string, (method: string, url: string) => boolean]>([
    ['answers a write with a fault and 200', (method) => method === 'PUT'],
    ['has no list', (_, url) => url.includes('list-type')],
  ])('%s', async (_, meets) => {
    here.store.meddle = ({ method = '', url = '' }, response, pass) => {
      if (meets(method, url)) answer(response, 200, 'AccessDenied')
      else pass()
    }
    await expect(build(100)).rejects.toThrow(/the store answers with 200 AccessDenied/)
    here.store.meddle = undefined
    expect(await objects()).toEqual([])
  })

  it.each<[string, string, RegExp]>([
    ['a page for people', '<html>hello</html>', /is not a list of objects/],
    ['an empty list', list(''), /is not in the list of objects/],
    ['a list without an end', list(ENDLESS), /is not a list of objects/],
  ])('answers with %s', async (_, body, words) => {
    here.store.meddle = ({ url = '' }, response, pass) => {
      if (url.includes('list-type')) response.end(body)
      else pass()
    }
    await expect(build(100)).rejects.toThrow(words)
    expect((await fetch(address('index.html'))).status).toBe(404)
  })
})
