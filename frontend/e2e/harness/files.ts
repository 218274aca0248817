import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Path of something in the repository. */
export function repository(path: string): string {
  return fileURLToPath(new URL(`../../../${path}`, import.meta.url))
}

/** What the server's build left: `dotnet build backend` makes it, the page included. NZBDAV_SERVER names the folder of another one, such as a published server. */
export function built(project: string, program: string): string {
  if (project === 'backend' && process.env.NZBDAV_SERVER !== undefined) return `${process.env.NZBDAV_SERVER}/${program}`
  return repository(`${project}/bin/${process.env.NZBDAV_CONFIGURATION ?? 'Debug'}/net10.0/${program}`)
}

/** A new folder that `remove` takes away again. */
export function temporaryFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'nzbdav-e2e.'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** A port of loopback that is free now. It lies below those that the system gives to outgoing connections (from 32,768 on), which would take it meanwhile. */
export async function freePort(): Promise<number> {
  return new Promise((found) => {
    const port = 15_000 + Math.floor(Math.random() * 17_000)
    const probe = createServer()
    probe.once('error', () => found(freePort()))
    probe.listen(port, '127.0.0.1', () => probe.close(() => found(port)))
  })
}
