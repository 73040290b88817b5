// Holds an exclusive lock on a database until its standard input ends.
import { openSqlite } from '../../../dist/store/sqlite/driver.js'

const db = openSqlite(process.argv[2])
db.exec('BEGIN EXCLUSIVE')
process.stdout.write('locked\n')
process.stdin.resume()
process.stdin.on('end', () => {
  db.exec('ROLLBACK')
  db.close()
})
