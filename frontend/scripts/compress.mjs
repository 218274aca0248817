// Writes FILE.br and FILE.gz beside every built file that compresses, so that the server sends them as they are.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const dist = new URL('../dist/', import.meta.url).pathname
const texts = new Set(['.js', '.css', '.html', '.svg', '.json', '.map', '.txt'])

for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
  // index.html is written anew for each answer: it holds a nonce and the base address.
  if (!entry.isFile() || !texts.has(extname(entry.name)) || entry.name === 'index.html') continue
  const path = join(entry.parentPath ?? entry.path, entry.name)
  const content = readFileSync(path)
  if (content.length < 512) continue
  writeFileSync(`${path}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }))
  writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }))
}
