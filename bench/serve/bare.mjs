// The limit: node:http with nothing behind it.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const { headers, body } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const server = createServer((_request, response) => {
  response.writeHead(200, headers)
  response.end(body, 'latin1')
})
server.listen(0, '127.0.0.1', () => console.log(`port ${server.address().port}`))
process.once('SIGTERM', () => process.exit())
