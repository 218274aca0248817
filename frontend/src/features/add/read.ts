/** What a pasted or dropped text holds: links, or the text of an .nzb itself. */
export type Read = { links: string[]; nzb: string | null }

const Hash = /^(?:[0-9a-f]{40}|[a-z2-7]{32})$/i

/** Links, magnet links and bare info hashes of a text, one each; or the whole text, if it is an .nzb. */
export function readText(text: string): Read {
  if (/<nzb[\s>]/i.test(text)) return { links: [], nzb: text }
  const found = text.split(/\s+/).flatMap((word) => {
    const bare = word.replace(/^[<"'(]+|[>"'),;]+$/g, '')
    if (/^(?:https?:\/\/|magnet:\?)\S+/i.test(bare)) return [bare]
    return Hash.test(bare) ? [`magnet:?xt=urn:btih:${bare}`] : []
  })
  return { links: [...new Set(found)], nzb: null }
}

/** True if the server may take a file of this name. */
export function isJob(name: string): boolean {
  return /\.(?:nzb|torrent|magnet|zip|nzb\.gz)$/i.test(name)
}

/** The files of what was dropped, those in folders, too. Call it before the event is over: the list is empty afterwards. */
export async function filesOf(transfer: DataTransfer): Promise<File[]> {
  const entries = [...transfer.items].filter((item) => item.kind === 'file').map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }))
  const files = await Promise.all(entries.map(async ({ entry, file }) => {
    if (entry?.isDirectory === true) return inFolder(entry as FileSystemDirectoryEntry)
    return file === null ? [] : [file]
  }))
  return files.flat()
}

async function inFolder(folder: FileSystemDirectoryEntry): Promise<File[]> {
  const reader = folder.createReader()
  const files: File[] = []
  // A read gives 100 entries at most; an empty one is the end.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return files
    for (const entry of some) {
      if (entry.isDirectory) files.push(...await inFolder(entry as FileSystemDirectoryEntry))
      // Of a folder only what is meant: the rest (samples, notes) stands there by chance.
      else if (isJob(entry.name)) files.push(await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)))
    }
  }
}
