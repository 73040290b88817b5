import { describe, expect, it } from 'vitest'
import { type Deployment, folderDeployment, staticDeployment } from '../../src/remote/deployment.js'
import { temporaryFolder } from '../support/folder.js'

const folder = temporaryFolder()

const noClient = {
  ask: () => {
    throw new Error('nothing may be asked')
  },
}
const DEPLOYMENTS: [string, Deployment][] = [
  ['a folder', folderDeployment(folder)],
  ['a site', staticDeployment(new URL('https://example.org/btc'), noClient)],
]

describe.each(DEPLOYMENTS)('%s', (name, deployment) => {
  it.each(['file:///etc/hostname', 'data:,{}', 'http://[', 'javascript:0'])(
    'has no page behind the link %s',
    async (next_url) => {
      const next = deployment.next({ pagination: { next_url } }, deployment.head)
      expect(await deployment.read(next as string)).toBeUndefined()
    },
  )

  it.each([
    ['service/api/v1/forecasts.json', 'forecasts/page-0012.json', 12],
    ['service/api/v1/forecasts/page-0012.json', 'page-0011.json', 11],
  ])('follows, from %s, the link %s relative to its own page', (from, next_url, page) => {
    const root = name === 'a site' ? 'https://example.org/btc/' : ''
    const next = deployment.next({ pagination: { next_url } }, root + from)
    expect(next).toBe(`${root}service/api/v1/forecasts/page-00${page}.json`)
  })

  it('follows a link by its path', () => {
    const next_url = '/btc/service/api/v1/forecasts/page-0001.json'
    const next = deployment.next({ pagination: { next_url } }, deployment.head)
    const path = next_url.slice(1)
    expect(next).toBe(name === 'a site' ? `https://example.org/${path}` : path.slice(4))
  })
})
