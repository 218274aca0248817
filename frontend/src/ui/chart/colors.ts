/** Colours that lines may have. */
const Count = 6

/** Custom property with the colour of a line: a provider ("provider.2") keeps its own everywhere. */
export function lineColor(name: string): string {
  const number = /^provider\.(\d+)$/.exec(name)?.[1]
  return number === undefined ? '--nz-paused' : `--nz-line-${Number(number) % Count}`
}
