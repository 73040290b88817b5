/**
 * What a handler gets: plain values, so that a server and a test can call it alike. Header names are in
 * lower case; a header that came twice is joined with `, `.
 */
export interface ServiceRequest {
  readonly method: string
  /** The request target as sent: path and query, or the absolute form. */
  readonly target: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Whether at least one byte of a body came, or is to come. */
  readonly hasBody: boolean
  /** HTTP/1.1 and later must name the host. */
  readonly hostRequired: boolean
}

/** What a handler gives back. */
export interface ServiceResponse {
  readonly status: number
  /** Name, value, name, value: the form node:http writes without another pass. */
  readonly headers: readonly string[]
  /** In ASCII. */
  readonly body: string | Buffer
  /** Of the forecasts in it, for the audit: a JSON array of strings, in ASCII. */
  readonly forecastIds: string
}

/** One header as a single string, or undefined when it was not sent. */
export function headerOf(request: ServiceRequest, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' || value === undefined ? value : value.join(', ')
}
