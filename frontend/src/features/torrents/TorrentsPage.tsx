import { Drawer, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo, useRef, useState, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react'
import { useRights } from '~/api/session'
import { torrentList } from '~/api/torrents'
import type { Torrent } from '~/api/types'
import { LinkButton } from '~/ui/LinkButton'
import { PageTitle } from '~/ui/PageTitle'
import { Empty } from '~/ui/state/Empty'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { Loading } from '~/ui/state/Loading'
import { useRowHeight } from '~/ui/table/useRowHeight'
import { VirtualGrid } from '~/ui/table/VirtualGrid'
import { useText } from '~/ui/text/catalogue'
import classes from './list/list.module.css'
import { chosen, sorted } from './list/torrents'
import { useColumns } from './list/useColumns'
import { Network } from './network/Network'
import { TorrentPane } from './pane/TorrentPane'
import { text } from './text'

/** The torrents, and why one is slow. */
export default function TorrentsPage(): ReactNode {
  const t = useText(text)
  const may = useRights()
  const { selected: named, sort: by } = useSearch({ from: '/torrents' })
  const selected = chosen(named)
  const navigate = useNavigate({ from: '/torrents' })
  const { data, error, isPending, refetch } = useQuery(torrentList)
  const { height, narrow } = useRowHeight()
  const wide = useMediaQuery('(min-width: 64em)', undefined, { getInitialValueInEffect: false })
  const scroller = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState(0)
  const beside = wide && selected !== undefined
  const columns = useColumns(narrow ? 'narrow' : wide && !beside ? 'all' : 'some')
  const sort = useMemo(() => by === undefined ? undefined : { by: by.replace(/^-/, ''), descending: by.startsWith('-') }, [by])
  const torrents = useMemo(() => sorted(data?.torrents ?? [], sort), [data, sort])
  const select = useCallback((hash: string | undefined) => void navigate({ search: (before) => ({ ...before, selected: hash }), replace: selected !== undefined && hash !== undefined }), [navigate, selected])
  const onSort = useCallback((column: string) => {
    // Names begin with A, figures with the largest; a second click turns it round.
    const down = sort?.by === column ? !sort.descending : column !== 'name'
    void navigate({ search: (before) => ({ ...before, sort: `${down ? '-' : ''}${column}` }), replace: true })
  }, [navigate, sort])
  const close = () => select(undefined)
  const key = (event: KeyboardEvent, index: number) => {
    if (event.key === 'Escape') close()
    if (event.key !== 'Enter' || (event.target as HTMLElement).dataset.index === undefined) return
    event.preventDefault()
    select(torrents[index]?.infoHash)
  }
  const click = (event: MouseEvent, index: number) => {
    if ((event.target as Element).closest('a') === null) select(torrents[index]?.infoHash)
  }
  const pane = selected !== undefined && <TorrentPane key={selected} hash={selected} onClose={close} />
  return (
    <div>
      <PageTitle title={t.title}>{torrents.length > 0 && <Text c="dimmed" size="sm">{t.count(torrents.length)}</Text>}<Network /></PageTitle>
      {error !== null && <ErrorNote error={error} retry={() => void refetch()} />}
      {isPending && <Loading rows={8} />}
      {data !== undefined && torrents.length === 0 && <Empty title={t.empty}><Text c="dimmed">{t.emptyHint}</Text>{may('add') && <LinkButton to="." search={(now) => ({ ...now, add: '1' })}>{t.add}</LinkButton>}</Empty>}
      {torrents.length > 0 && (
        <div className={classes.page}>
          <div className={classes.split}>
            <div className={classes.list}>
              <VirtualGrid label={t.list} columns={columns} count={torrents.length} row={(index) => torrents[index]} rowKey={hashOf} height={height} active={active} onActive={setActive} onKey={key} onRowClick={click} isSelected={(torrent) => torrent.infoHash === selected} single
                sort={sort} onSort={onSort} untitled={narrow} scroller={scroller} scrollId="torrents" />
            </div>
            {beside && <aside className={`surface ${classes.pane}`} aria-label={t.details}>{pane}</aside>}
          </div>
        </div>
      )}
      {!wide && <Drawer opened={selected !== undefined} onClose={close} position="bottom" size="85%" withCloseButton={false} attributes={{ content: { 'aria-label': t.details } }}>{pane}</Drawer>}
    </div>
  )
}

const hashOf = (torrent: Torrent) => torrent.infoHash
