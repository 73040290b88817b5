// The limit: node:http that asks PostgreSQL for one page and sends the rows, with nothing else to it:
//   node bench/serve/bare-postgres.mjs URL SCHEMA BYTES
// Its answers are filled up to so many bytes, those of the service: what a socket costs is not compared.
import { createServer } from 'node:http'
import pg from 'pg'
import { decodeCursor } from '../../dist/service/api/cursor.js'
import { pageSql } from '../../dist/store/postgres/pages.js'

const [, , connectionString, schema, bytes] = process.argv
const pool = new pg.Pool({ connectionString, max: 10 })
const server = createServer(async (request, response) => {
  const cursor = new URL(request.url, 'http://bare').searchParams.get('cursor')
  const after = cursor === null ? undefined : decodeCursor({}, ['', ''], cursor).last
  const { sql: text, values } = pageSql(schema, { after, limit: 51 })
  const { rows } = await pool.query({ text, values: [...values], rowMode: 'array' })
  response.writeHead(200, { 'Content-Type': 'application/json' })
  response.end(JSON.stringify(rows).padEnd(Number(bytes)), 'latin1')
})
server.listen(0, '127.0.0.1', () => console.log(`port ${server.address().port}`))
process.once('SIGTERM', () => process.exit())
