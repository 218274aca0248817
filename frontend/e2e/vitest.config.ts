import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// Flows of the whole page in a browser, against the built server.
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['e2e/**/*.flow.ts'],
    globalSetup: ['e2e/harness/together.ts'],
    environment: 'node',
    // A server and its browser take about a core.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
