import { type Client, refuse } from './client.js'
import { Api, type ErrorBody, type HttpResponse } from './generated/swagger-typescript-api.js'

export function open(baseUrl: string, key: string): Client {
  const api = new Api({
    baseUrl,
    securityWorker: () => ({ headers: { Authorization: `Bearer ${key}` } }),
  })
  /** This client throws the response where it is an error. */
  const refused = ({ status, error }: HttpResponse<unknown, ErrorBody>) => refuse(status, error)
  return {
    page: async (query) => (await api.v1.listForecasts(query).catch(refused)).data,
    latest: async () => (await api.v1.latestForecast().catch(refused)).data,
  }
}
