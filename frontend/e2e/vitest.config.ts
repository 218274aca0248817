import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Begins with the files that take longest, so that none of them is alone at the end: their size says nothing of that. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = ({ moduleId }: TestSpecification) => ['pages', 'shared'].findIndex((name) => moduleId.endsWith(`/${name}.flow.ts`))
    return [...sorted.filter((file) => rank(file) >= 0).sort((a, b) => rank(a) - rank(b)), ...sorted.filter((file) => rank(file) < 0)]
  }
}

// Flows of the whole page in a browser, against the built server.
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['e2e/**/*.flow.ts'],
    globalSetup: ['e2e/harness/together.ts'],
    environment: 'node',
    // A server and its windows take about a core.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
