import { type Client, pageOf, Refused } from './client.js'
import { Api, type ErrorBody, type HttpResponse } from './generated/swagger-typescript-api.js'

export function open(baseUrl: string, key: string): Client {
  const api = new Api({
    baseUrl,
    securityWorker: () => ({ headers: { Authorization: `Bearer ${key}` } }),
  })
  /** This client throws the response where it is an error. */
  const refused = ({ status, error }: HttpResponse<unknown, ErrorBody>): never => {
    throw new Refused(status, error.error.code)
  }
  return {
    async page(cursor) {
      const query = { limit: 100, ...(cursor !== undefined && { cursor }) }
      const { data } = await api.v1.listForecasts(query).catch(refused)
      return pageOf(data)
    },
    async latest() {
      const { data } = await api.v1.latestForecast().catch(refused)
      return data.data.forecast_id
    },
  }
}
