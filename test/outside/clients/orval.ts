import { type Client, pageOf, Refused } from './client.js'
import { latestForecast, listForecasts } from './generated/orval.js'

/** The address is written into this client, from the servers of the document. */
export function open(_baseUrl: string, key: string): Client {
  const options = { headers: { Authorization: `Bearer ${key}` } }
  return {
    async page(cursor) {
      const query = { limit: 100, ...(cursor !== undefined && { cursor }) }
      const answer = await listForecasts(query, options)
      if (answer.status !== 200) throw new Refused(answer.status, answer.data.error.code)
      return pageOf(answer.data)
    },
    async latest() {
      const answer = await latestForecast(options)
      if (answer.status !== 200) throw new Refused(answer.status, answer.data.error.code)
      return answer.data.data.forecast_id
    },
  }
}
