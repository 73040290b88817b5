import { createConfig, lintFromString, makeDocumentFromString } from '@redocly/openapi-core'
import { describe, expect, it } from 'vitest'
import { openApiDocument } from '../../src/contract/openapi.js'

const RULES = { extends: ['recommended-strict'] } as const

async function problemsOf(document: unknown): Promise<string[]> {
  const config = await createConfig(structuredClone(RULES) as never)
  const source = JSON.stringify(document)
  expect(makeDocumentFromString(source, 'openapi.json').parsed).toEqual(document)
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config })
  return problems.map(({ ruleId, message, location }) => {
    return `${ruleId} ${location.map((place) => place.pointer ?? '').join()}: ${message}`
  })
}

describe('the OpenAPI document', () => {
  it.each([
    [{}],
    [{ variant: 'dynamic', baseUrl: 'https://forecasts.example.org' }],
    [{ variant: 'static', baseUrl: 'https://example.org/btc' }],
    [{ variant: 'static', baseUrl: '.' }],
    [{ variant: 'static', baseUrl: '.', linkedPages: true }],
  ] as const)('is what an outside linter calls valid, for %j', async (options) => {
    expect(await problemsOf(openApiDocument(options))).toEqual([])
  })

  it('is read by that linter: it sees what is wrong with a spoilt copy', async () => {
    const spoilt = structuredClone(openApiDocument()) as { components: { schemas: object } }
    spoilt.components.schemas = {}
    expect((await problemsOf(spoilt)).length).toBeGreaterThan(3)
  })

  it('says of every operation what it does, and names each status by itself', () => {
    type Operation = { summary: string; description?: string; responses: Record<string, unknown> }
    const paths = openApiDocument().paths as Record<string, { get: Operation }>
    for (const [path, { get }] of Object.entries(paths)) {
      expect([path, get.description?.length ?? 0]).toEqual([path, expect.toSatisfy((n) => n > 40)])
      expect(get.description).not.toBe(get.summary)
      for (const status of Object.keys(get.responses)) expect(status).toMatch(/^[1-5]\d\d$/)
    }
  })

  it('has plain strings for plain text, which generators of clients write down as they are', () => {
    const { paths, components } = openApiDocument() as Record<string, { headers?: object }>
    for (const part of [paths, components?.headers]) {
      expect(JSON.stringify(part)).not.toContain('"const"')
    }
  })

  it('has every route of the specification', () => {
    expect(Object.keys(openApiDocument().paths as object)).toEqual([
      '/v1/forecasts/latest',
      '/v1/forecasts',
      '/v1/health',
      '/livez',
      '/readyz',
      '/metrics',
      '/service/api/v1/forecasts/latest.json',
      '/service/api/v1/forecasts.json',
      '/service/api/v1/forecasts/page-{number}.json',
    ])
  })
})
