import { type Client, pageOf, Refused } from './client.js'
import { createClient, createConfig } from './generated/hey-api/client/index.js'
import { latestForecast, listForecasts } from './generated/hey-api/index.js'

export function open(baseUrl: string, key: string): Client {
  const client = createClient(createConfig({ baseUrl, auth: key }))
  return {
    async page(cursor) {
      const query = { limit: 100, ...(cursor !== undefined && { cursor }) }
      const { data, error, response } = await listForecasts({ client, query })
      if (error !== undefined) throw new Refused(response.status, error.error.code)
      return pageOf(data)
    },
    async latest() {
      const { data, error, response } = await latestForecast({ client })
      if (error !== undefined) throw new Refused(response.status, error.error.code)
      return data.data.forecast_id
    },
  }
}
