/** Paths of a torrent's files without the folder that all of them are in. */
export function withinRoot(paths: readonly string[]): string[] {
  const root = paths[0]?.split('/')[0] ?? ''
  const isShared = paths.every((path) => path.startsWith(`${root}/`) && path.length > root.length + 1)
  return isShared ? paths.map((path) => path.slice(root.length + 1)) : [...paths]
}
