import createClient from 'openapi-fetch'
import { type Client, pageOf, Refused } from './client.js'
import type { paths } from './generated/openapi-typescript.js'

export function open(baseUrl: string, key: string): Client {
  const api = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } })
  return {
    async page(cursor) {
      const query = { limit: 100, ...(cursor !== undefined && { cursor }) }
      const { data, error, response } = await api.GET('/v1/forecasts', { params: { query } })
      if (error !== undefined) throw new Refused(response.status, error.error.code)
      return pageOf(data)
    },
    async latest() {
      const { data, error, response } = await api.GET('/v1/forecasts/latest')
      if (error !== undefined) throw new Refused(response.status, error.error.code)
      return data.data.forecast_id
    },
  }
}
