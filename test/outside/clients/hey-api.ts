import { bodyOf, type Client } from './client.js'
import { createClient, createConfig } from './generated/hey-api/client/index.js'
import { latestForecast, listForecasts } from './generated/hey-api/index.js'

export function open(baseUrl: string, key: string): Client {
  const client = createClient(createConfig({ baseUrl, auth: key }))
  return {
    page: async (query) => bodyOf(await listForecasts({ client, query })),
    latest: async () => bodyOf(await latestForecast({ client })),
  }
}
