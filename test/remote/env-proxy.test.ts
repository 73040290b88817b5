import { expect, it } from 'vitest'
import { createClient } from '../../src/remote/client.js'
import { unreachableHelp } from '../../src/remote/env-proxy.js'

const HTTPS = { HTTPS_PROXY: 'http://user:secret@proxy:3128' }
const USED = { NODE_USE_ENV_PROXY: '1' }
const IS_SET = 'Check. HTTPS_PROXY is set and was not used: that takes '

it.each([
  [{}, 'https', '24.5.0', 'Check.'],
  [{ HTTP_PROXY: 'x' }, 'https', '24.5.0', 'Check.'],
  [HTTPS, 'http', '24.5.0', 'Check.'],
  [HTTPS, 'https', '24.5.0', `${IS_SET}NODE_USE_ENV_PROXY=1.`],
  [HTTPS, 'https', '22.21.0', `${IS_SET}NODE_USE_ENV_PROXY=1.`],
  [HTTPS, 'https', '26.0.0', `${IS_SET}NODE_USE_ENV_PROXY=1.`],
  ...['20.20.2', '22.20.0', '23.11.0', '24.4.1'].map((version) => {
    const node = `Node 22.21, 24.5 or a later one (this is ${version}), and `
    return [
      { ...HTTPS, ...USED },
      'https',
      version,
      `${IS_SET}${node}NODE_USE_ENV_PROXY=1.`,
    ] as const
  }),
  [{ ...HTTPS, ...USED }, 'https', '24.5.0', 'Check.'],
  [{ ...HTTPS, NODE_OPTIONS: '--use-env-proxy' }, 'https', '24.5.0', 'Check.'],
  [
    { http_proxy: 'x' },
    'http',
    '24.5.0',
    `${IS_SET}NODE_USE_ENV_PROXY=1.`.replace('HTTPS_PROXY', 'http_proxy'),
  ],
] as const)('with %j, %s, in Node %s', (env, scheme, version, says) => {
  expect(unreachableHelp(`${scheme}://example.org/`, 'Check.', env, version)).toBe(says)
})

it('is said by what asks over the web', async () => {
  process.env.http_proxy = 'http://127.0.0.1:2'
  try {
    const asked = createClient({ tries: 1 }).ask('http://127.0.0.1:1/')
    await expect(asked).rejects.toMatchObject({
      help: expect.stringContaining('http_proxy is set'),
    })
  } finally {
    delete process.env.http_proxy
  }
})
