import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { built } from './files'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the browser of the run listens. */
    browser: string
  }
}

/** Says what is missing before the first flow does, and starts Chromium of the system: one for the whole run, each file connects to it. */
export default async function together(project: TestProject): Promise<() => Promise<void>> {
  for (const [project, program] of [['backend', 'nzbdav'], ['backend', 'page/index.html'], ['tools/MockUsenet', 'nzbdav-mock-usenet'], ['tools/MockSwarm', 'nzbdav-mock-swarm']] as const) {
    const path = built(project, program)
    if (!existsSync(path)) throw new Error(`${path} is missing: run "dotnet build backend" first.`)
  }
  const browser = await chromium.launchServer({ host: '127.0.0.1', executablePath: process.env.NZBDAV_CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] })
  project.provide('browser', browser.wsEndpoint())
  return async () => browser.close()
}
