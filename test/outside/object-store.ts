import type { IncomingMessage, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { serveHttp } from '../support/servers.js'

/** What s3rver knows; it checks the signatures of version 4. */
export const KEYS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' }
export const BUCKET = 'forecasts'

type Handle = (request: IncomingMessage, response: ServerResponse) => void

/** A store of objects on a free port, until the last test of the file. */
export interface TestStore {
  readonly endpoint: string
  /** What was asked, like `PUT /forecasts/btc/build.json`, without queries. */
  readonly asked: string[]
  /** Comes before the store: it may answer by itself, or pass on a request as it likes. */
  meddle: ((...asked: [...Parameters<Handle>, pass: () => void]) => void) | undefined
}

/**
 * A request once all of it is there; undefined for one that was cut off. A store takes objects whole or not at all;
 * s3rver empties the old one at the first byte.
 */
async function whole(request: IncomingMessage): Promise<IncomingMessage | undefined> {
  const body = await buffer(request).catch(() => undefined)
  if (body === undefined) return undefined
  const { headers, rawHeaders, url, method, httpVersion, socket } = request
  const copied = { headers, rawHeaders, url, method, httpVersion, socket }
  return Object.assign(new PassThrough().end(body), copied) as unknown as IncomingMessage
}

/** Starts s3rver with one bucket, behind a server that counts and can meddle. */
export async function startStore(directory: string, bucket = BUCKET): Promise<TestStore> {
  const require = createRequire(import.meta.url)
  const S3rver = require('s3rver')
  const app = new S3rver({ directory, silent: true, configureBuckets: [{ name: bucket }] })
  await app.configureBuckets()
  const handle: Handle = app.callback()
  const endpoint = await serveHttp((request, response) => {
    store.asked.push(`${request.method} ${request.url?.replace(/\?.*/, '')}`)
    const pass = () => void whole(request).then((each) => each && handle(each, response))
    if (store.meddle === undefined) pass()
    else store.meddle(request, response, pass)
  })
  const store: TestStore = { endpoint, asked: [], meddle: undefined }
  return store
}
