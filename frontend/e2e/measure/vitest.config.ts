import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// Measurements of the page in a browser, against the built server. They print figures and never fail for one.
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['e2e/measure/**/*.measure.ts'],
    globalSetup: ['e2e/harness/together.ts'],
    environment: 'node',
    fileParallelism: false,
    disableConsoleIntercept: true,
    testTimeout: 240_000,
    hookTimeout: 120_000,
  },
})
