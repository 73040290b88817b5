import { type Client, refuse } from './client.js'
import { latestForecast, listForecasts } from './generated/orval.js'

/** The address is written into this client, from the servers of the document. */
export function open(_baseUrl: string, key: string): Client {
  const options = { headers: { Authorization: `Bearer ${key}` } }
  return {
    async page(query) {
      const { status, data } = await listForecasts(query, options)
      return status === 200 ? data : refuse(status, data)
    },
    async latest() {
      const { status, data } = await latestForecast(options)
      return status === 200 ? data : refuse(status, data)
    },
  }
}
