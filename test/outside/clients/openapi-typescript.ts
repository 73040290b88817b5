import createClient from 'openapi-fetch'
import { bodyOf, type Client } from './client.js'
import type { paths } from './generated/openapi-typescript.js'

export function open(baseUrl: string, key: string): Client {
  const api = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } })
  return {
    page: async (query) => bodyOf(await api.GET('/v1/forecasts', { params: { query } })),
    latest: async () => bodyOf(await api.GET('/v1/forecasts/latest')),
  }
}
