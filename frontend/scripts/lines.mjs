// A reporter of vitest for scripts that count: "ok NAME", "FAIL NAME: why", "skip NAME: why", one line per test.
const oneLine = (text) => text.replace(/\s+/g, ' ').trim().slice(0, 600)

export default class Lines {
  onTestCaseResult(test) {
    const name = `${test.module.relativeModuleId}: ${oneLine(test.fullName)}`
    const { state, errors } = test.result()
    if (state === 'passed') console.log(`ok ${name}`)
    else if (state === 'failed') console.log(`FAIL ${name}: ${oneLine(errors.map((error) => error.message).join(' | '))}`)
    else console.log(`skip ${name}: left out`)
  }

  onTestRunEnd(modules, unhandled) {
    for (const error of unhandled) console.log(`FAIL outside of tests: ${oneLine(error.stack ?? error.message ?? String(error))}`)
    for (const module of modules) for (const error of module.errors()) console.log(`FAIL ${module.relativeModuleId}: ${oneLine(error.message)}`)
    for (const module of modules) for (const suite of module.children.allSuites()) for (const error of suite.errors()) console.log(`FAIL ${module.relativeModuleId}: ${suite.fullName}: ${oneLine(error.message)}`)
  }
}
