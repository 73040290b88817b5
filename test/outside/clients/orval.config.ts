export default {
  api: {
    input: 'openapi.json',
    output: {
      target: 'generated/orval.ts',
      client: 'fetch',
      baseUrl: { getBaseUrlFromSpecification: true },
    },
  },
}
