import { existsSync } from 'node:fs'
import { built } from './files'

/** Says what is missing before the first flow does. */
export default function together(): void {
  for (const [project, program] of [['backend', 'nzbdav'], ['backend', 'page/index.html'], ['tools/MockUsenet', 'nzbdav-mock-usenet'], ['tools/MockSwarm', 'nzbdav-mock-swarm']] as const) {
    const path = built(project, program)
    if (!existsSync(path)) throw new Error(`${path} is missing: run "dotnet build backend" first.`)
  }
}
