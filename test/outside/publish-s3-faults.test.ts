import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { foreproof } from '../support/run.js'
import {
  add,
  answer,
  build,
  expected,
  faults,
  here,
  hours,
  objects,
  place,
  puts,
  remove,
  useObjectStore,
  walk,
} from './object-site.js'
import { BUCKET, KEYS } from './object-store.js'

useObjectStore(temporaryFolder())

/** The command that publishes to this test's place. */
function publish(): string[] {
  const { out } = place()
  return ['publish', '--history', here.history, '--out', out, '--endpoint', here.store.endpoint]
}

describe('an upload that meets faults', () => {
  it.each<[string, (n: number, response: ServerResponse, pass: () => void) => void]>([
    ['500', (n, response, pass) => (n % 3 === 0 ? answer(response, 500, 'InternalError') : pass())],
    [
      '503 SlowDown',
      (n, response, pass) => (n % 4 === 1 ? answer(response, 503, 'SlowDown') : pass()),
    ],
    ['429', (n, response, pass) => (n % 5 === 2 ? answer(response, 429, 'TooMany') : pass())],
    ['resets', (n, response, pass) => (n % 3 === 1 ? response.socket?.resetAndDestroy() : pass())],
    [
      'resets after the work is done',
      (n, response, pass) => {
        if (n % 4 === 1) response.end = () => response.socket?.resetAndDestroy() as never
        pass()
      },
    ],
    ['slow answers', (n, _response, pass) => void setTimeout(pass, n % 2 === 0 ? 40 : 0)],
  ])('goes on after %s', async (_, meddle) => {
    // Each object and list has a count of its own, from another number on: counted over all, a request might
    // meet a fault with each of its tries, by the order in which others come.
    const counts = new Map<string, number>()
    here.store.meddle = ({ method, url }, response, pass) => {
      const asked = `${method} ${url}`
      const count = counts.get(asked) ?? counts.size
      counts.set(asked, count + 1)
      meddle(count, response, pass)
    }
    await build(100)
    add(hours(100, 104))
    add(hours(30, 32, 'late'))
    await build(104)
    here.store.meddle = undefined
    expect((await walk()).ids).toEqual(await expected())
    expect(await faults()).toEqual([])
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
    expect((await walk()).ids).toEqual(await expected())
    expect(await faults()).toEqual([])
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
    expect((await walk()).ids).toEqual(await expected())
    expect(await faults()).toEqual([])
  })

  it('waits for no second build', async () => {
    let second: Promise<unknown> | undefined
    here.store.meddle = (request, _response, pass) => {
      if (/page-/.test(request.url ?? '') && second === undefined) {
        second = build(100).then(
          () => 'built',
          ({ code, message }) => `${code} ${message}`,
        )
        void second.then(pass)
      } else pass()
    }
    await build(100)
    expect(await second).toBe(
      `unavailable s3://${BUCKET}/${here.prefix}: another build of this site is at work`,
    )
    expect(await faults()).toEqual([])
  })
})

describe('what is wrong', () => {
  it.each<[string, (response: ServerResponse) => void, RegExp]>([
    [
      'a key',
      (to) => answer(to, 403, 'InvalidAccessKeyId'),
      /credentials are refused \(403 InvalidAccessKeyId\)/,
    ],
    [
      'a bucket',
      (to) => answer(to, 404, 'NoSuchBucket'),
      /s3:\/\/forecasts: there is no such bucket/,
    ],
    [
      'a session',
      (to) => answer(to, 400, 'ExpiredToken'),
      /credentials are refused \(400 ExpiredToken\)/,
    ],
    [
      'the clock',
      (to) => answer(to, 403, 'RequestTimeTooSkewed'),
      /credentials are refused \(403 RequestTimeTooSkewed\)/,
    ],
    [
      'the region',
      (to) => {
        to.setHeader('x-amz-bucket-region', 'eu-west-1')
        answer(to, 301, 'PermanentRedirect')
      },
      /the bucket is in the region eu-west-1, not in us-east-1/,
    ],
    [
      'the region in a signature',
      (to) => answer(to, 400, 'AuthorizationHeaderMalformed', '<Region>eu-west-1</Region>'),
      /region eu-west-1/,
    ],
    ['all', (to) => answer(to, 418, 'IAm<b>ATeapot'), /the store answers with 418$/],
  ])('is reported: %s', async (_, meddle, words) => {
    here.store.meddle = (_request, response) => meddle(response)
    await expect(build(100)).rejects.toThrow(words)
    expect(here.store.asked).toHaveLength(1)
  })

  it.each<[string, string, (method: string, url: string) => boolean]>([
    ['s3:GetObject', 'AccessDenied', (method, url) => method === 'GET' && !/list-type/.test(url)],
    ['s3:PutObject', 'AccessDenied', (method) => method === 'PUT'],
    ['s3:ListBucket', 'AccessDenied', (method) => method === 'GET'],
  ])('is a right, which is named: %s', async (right, code, meets) => {
    await build(100)
    here.store.meddle = ({ method = '', url = '' }, response, pass) =>
      meets(method, url) ? answer(response, 403, code) : pass()
    await expect(build(101)).rejects.toThrow(
      `access is denied: ${right} is needed here (403 AccessDenied)`,
    )
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

  it.each<[string, Record<string, string>, RegExp]>([
    ['no key', { AWS_ACCESS_KEY_ID: '' }, /AWS_ACCESS_KEY_ID is not set/],
    ['no secret', { AWS_SECRET_ACCESS_KEY: '' }, /AWS_SECRET_ACCESS_KEY is not set/],
    [
      'a secret with a break',
      { AWS_SECRET_ACCESS_KEY: 'hush\nhush' },
      /AWS_SECRET_ACCESS_KEY: has a space/,
    ],
  ])('is reported before anything is asked: %s', async (_, env, words) => {
    const failed = await build(100, { env: { ...KEYS, ...env } }).catch((cause) => cause)
    expect(failed).toMatchObject({ code: 'usage' })
    expect(failed.message).toMatch(words)
    expect(JSON.stringify([failed, failed.message, failed.help, failed.stack])).not.toContain(
      'hush',
    )
    expect(here.store.asked).toEqual([])
  })

  it('never has credentials in it', async () => {
    const secrets = {
      AWS_ACCESS_KEY_ID: 'AKIDHUSHHUSH',
      AWS_SECRET_ACCESS_KEY: 'hushhush/secret',
      AWS_SESSION_TOKEN: 'hushhush-token',
    }
    const seen: string[] = []
    const meddles: ((request: IncomingMessage, response: ServerResponse) => void)[] = [
      // A store that says back all that it was sent.
      (request, response) => {
        response.statusCode = 403
        response.end(
          `<Error><Code>AccessDenied</Code><Message>${JSON.stringify(request.headers)}</Message></Error>`,
        )
      },
      (_request, response) => answer(response, 403, 'SignatureDoesNotMatch'),
    ]
    for (const meddle of meddles) {
      for (const flags of [[], ['--check'], ['--dry-run'], ['--format', 'json']]) {
        here.store.meddle = (request, response) => {
          seen.push(String(request.headers.authorization))
          meddle(request, response)
        }
        const { code, stdout, stderr } = await foreproof([...publish(), ...flags], {
          env: secrets,
        })
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
      [
        ['--out', join(here.folder, 'x'), '--endpoint', here.store.endpoint],
        /--endpoint has no meaning for a folder/,
      ],
      [
        ['--out', `s3://${BUCKET}/x`, '--endpoint', 'http://me:hush@localhost'],
        /must not hold credentials/,
      ],
      [['--out', `s3://${BUCKET}/x`], /Set AWS_REGION/],
    ]
    for (const [args, words] of cases) {
      const { code, stderr } = await foreproof(['publish', '--history', here.history, ...args], {
        env: { ...KEYS, AWS_REGION: '', AWS_DEFAULT_REGION: '' },
      })
      expect([code, stderr]).toEqual([2, expect.stringMatching(words)])
      expect(stderr).not.toContain('hush')
    }
  })

  it('is not there: the command uploads and says so', async () => {
    const built = await foreproof(publish(), { env: KEYS })
    expect([built.code, built.stderr]).toEqual([0, ''])
    expect(built.stdout).toContain(`${place().out}: 600 forecasts, 5 pages besides the head`)
    // What it names is there, and each page by the name that it has in the bucket.
    const named = [...built.stdout.matchAll(/(?:http:\S+\/|to )(service\/\S+)/g)].map(
      ([, path]) => path,
    )
    expect(named).toHaveLength(4)
    expect(await objects()).toEqual(expect.arrayContaining(named))
    const planned = await foreproof([...publish(), '--dry-run', '--full'], { env: KEYS })
    expect(planned.stdout).not.toMatch(/page-/)
    const checked = await foreproof([...publish(), '--check', '--format', 'json'], { env: KEYS })
    expect([checked.code, JSON.parse(checked.stdout)]).toMatchObject([0, { ok: true }])
    expect((await walk()).ids).toEqual(await expected())
  })
})
