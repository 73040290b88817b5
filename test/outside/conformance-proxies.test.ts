import { beforeAll, describe, expect, it } from 'vitest'
import { foreproof } from '../support/run.js'
import { KEY, type Served, serve } from '../support/service/serve.js'
import { writeTo } from '../support/service/walking.js'
import { selfSigned, startHaproxy, startNginx } from './servers.js'

const HOST = 'localhost'
const { certificate, key, both } = selfSigned(HOST)
const RUNS = 5

let served: Served
beforeAll(async () => {
  const env = {
    BTC_FORECAST_API_AUTH_FAILURE_LIMIT: '0',
    BTC_FORECAST_API_RATE_LIMIT: '1000000',
  }
  served = await serve({ made: { journal: 'wal', origins: 24 }, env })
})

/** nginx with TLS: at its root, passing on what it was sent; below a path, what it has normalised. */
const nginx = () =>
  startNginx(
    (port) => `
      upstream service { server 127.0.0.1:${served.port}; keepalive 8; }
      server {
        listen ${port} ssl; server_name ${HOST};
        ssl_certificate ${certificate}; ssl_certificate_key ${key};
        gzip on; gzip_proxied any; gzip_types *;
        proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $host;
        location / { proxy_pass http://service; }
        location /btc/ { proxy_pass http://service/; }
      }`,
  )

/** HAProxy with TLS and HTTP/2. */
const haproxy = () =>
  startHaproxy(
    (port) => `
defaults
    mode http
    timeout connect 5s
    timeout client 30s
    timeout server 30s
    option forwardfor
frontend forecasts
    bind 127.0.0.1:${port} ssl crt ${both} alpn h2,http/1.1
    default_backend service
backend service
    server one 127.0.0.1:${served.port}
`,
  )

describe('a sound service behind a proxy, written to all the while', () => {
  it.each([
    ['nginx', nginx, ''],
    ['nginx below a path', nginx, '/btc'],
    ['HAProxy', haproxy, ''],
  ] as const)('passes each time behind %s', async (_name, start, below) => {
    const { port } = await start()
    const stop = await writeTo(served.historyPath, 5)
    try {
      for (let run = 0; run < RUNS; run++) {
        const line = `conformance https://${HOST}:${port}${below} --key-env KEY --format json`
        const env = { KEY, NODE_EXTRA_CA_CERTS: certificate }
        const { code, stdout, stderr } = await foreproof(line, { env })
        expect(JSON.parse(stdout).findings, stderr).toEqual([])
        expect(code).toBe(0)
      }
    } finally {
      await stop()
    }
  })
})
