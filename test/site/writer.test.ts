import { describe, expect, it } from 'vitest'
import { ForeproofError } from '../../src/contract/error.js'
import { HistoryMoved, readExactRows } from '../../src/site/row-keys.js'
import { linkFault } from '../../src/site/writer/links.js'
import { parseObjectLocation } from '../../src/site/writer/s3/address.js'
import { openSiteObjects } from '../../src/site/writer/s3/store.js'
import type { HistoryReader } from '../../src/store/history-reader.js'
import { serveHttp } from '../support/servers.js'

it('a history that has fewer rows than were counted has moved', async () => {
  const reader = { page: async () => [] } as Partial<HistoryReader> as HistoryReader
  await expect(readExactRows(reader, undefined, 1)).rejects.toThrow(HistoryMoved)
  expect(await readExactRows(reader, undefined, 0)).toEqual([])
})

const fault = (code: string) => Object.assign(new Error(code), { code, syscall: 'link' })

describe('a link that cannot be made', () => {
  // What Linux answers on FAT, on some network file systems, across devices, and beyond ext4's 65,000 names.
  it.each(['EPERM', 'EOPNOTSUPP', 'EXDEV', 'EMLINK'])('%s leads to --in-place', (code) => {
    const error = linkFault(fault(code), 'site/index.html') as ForeproofError
    expect(error).toBeInstanceOf(ForeproofError)
    expect(error.code).toBe('refused')
    expect(error.message).toBe(`site/index.html: no hard link can be made here (${code})`)
    expect(error.help).toContain('--in-place')
  })

  it.each(['ENOENT', 'ENOSPC', 'EACCES'])('%s stays what it is', (code) => {
    const cause = fault(code)
    expect(linkFault(cause, 'site/index.html')).toBe(cause)
  })
})

const entry = (key: string) =>
  `<Contents><Key>${key}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><Size>1</Size></Contents>`

it('lists objects over several answers, with keys as XML writes them', async () => {
  const tokens: (string | null)[] = []
  const endpoint = await serveHttp(({ url }, response) => {
    const query = new URL(url ?? '', 'http://host.invalid').searchParams
    const token = query.get('continuation-token')
    tokens.push(token)
    expect([query.get('list-type'), query.get('prefix')]).toEqual(['2', 'a/b/x'])
    const more = token === null ? '<NextContinuationToken>1&amp;+/=2</NextContinuationToken>' : ''
    const keys = token === null ? ['a/b/x1', 'a/b/x&amp;&lt;'] : ['a/b/x&quot;', 'elsewhere']
    response.setHeader('date', 'Thu, 01 Jan 2026 00:00:09 GMT')
    response.end(
      `<ListBucketResult><Prefix>a/b/</Prefix>${more}${keys.map(entry).join('')}</ListBucketResult>`,
    )
  })
  const env = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' }
  const store = await openSiteObjects(parseObjectLocation('s3://bucket/a/b', { endpoint, env }))
  const { objects, now } = await store.list('x')
  expect(tokens).toEqual([null, '1&+/=2'])
  expect(objects.map(({ path }) => path)).toEqual(['x1', 'x&<', 'x"'])
  expect(now - (objects[0]?.written ?? 0)).toBe(9000)
})

it.each([
  ['s3://bucket', 'eu-west-1', 'https://bucket.s3.eu-west-1.amazonaws.com'],
  ['s3://dotted.name/x', 'eu-west-1', 'https://s3.eu-west-1.amazonaws.com/dotted.name'],
  ['s3://bucket/', 'cn-north-1', 'https://bucket.s3.cn-north-1.amazonaws.com.cn'],
])('finds the address of %s in %s', (out, AWS_REGION, url) => {
  const env = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret', AWS_REGION }
  expect(parseObjectLocation(out, { env }).url).toBe(url)
})
