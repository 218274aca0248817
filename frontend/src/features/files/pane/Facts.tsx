import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { FileDetails } from '~/api/types'
import { useFormat } from '~/ui/format/useFormat'
import { FactList } from '~/ui/pane/FactList'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'

/** What is known of a file, as pairs. */
export function Facts({ file }: { file: FileDetails }) {
  const t = useText(text)
  const format = useFormat()
  const pairs: [string, ReactNode][] = [
    [t.facts.path, <span key="path" className="mono">{file.path}</span>],
    [t.facts.size, file.size > 0 && <span key="size" title={`${format.number(file.size)} B`}>{format.size(file.size)}</span>],
    [t.facts.type, file.contentType],
    [t.facts.source, file.origin === null ? null : file.infoHash === null ? t.origin[file.origin]
      : <Anchor key="torrent" inherit renderRoot={(props) => <Link {...props} to="/torrents" search={{ selected: file.infoHash ?? undefined }} />}>{t.origin.torrent}</Anchor>],
    [t.facts.articles, file.articles > 0 && format.number(file.articles)],
    [t.facts.encrypted, file.encrypted && t.yes],
    [t.facts.added, <time key="added" dateTime={file.created}>{format.dateTime(file.created)}</time>],
    [t.facts.changed, file.modified !== file.created && <time key="changed" dateTime={file.modified}>{format.dateTime(file.modified)}</time>],
    [t.facts.job, file.job !== null && <Anchor key="job" inherit renderRoot={(props) => <Link {...props} to="/jobs" search={{ job: file.job?.id }} />}>{file.job.name}</Anchor>],
  ]
  return <FactList facts={pairs} />
}
