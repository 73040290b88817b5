import { randomUUID } from 'node:crypto'
import type { Probes } from '../health/probes.js'
import type { ServiceRequest } from './http.js'
import { textResponse } from './respond.js'
import { type Answering, malformedResponse, type Reply, refusalOf } from './service.js'

/** What a port for probes alone answers. Nothing of it is a request to the API: it is not counted or audited. */
export class ProbeService implements Answering {
  constructor(private readonly probes: Probes) {}

  async handle(request: ServiceRequest): Promise<Reply> {
    const answer = await this.probes.answer(request)?.catch(refusalOf)
    return { response: answer ?? textResponse(404, 'not found\n'), requestId: randomUUID() }
  }

  malformed(): Reply {
    return { response: malformedResponse(), requestId: randomUUID() }
  }
}
