import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Torrent } from '~/api/types'
import { useFormat } from '~/ui/format/useFormat'
import { ReleaseName } from '~/ui/ReleaseName'
import type { Column } from '~/ui/table/column'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'
import classes from './list.module.css'
import { StandingLine } from './Standing'
import { heldShare, shownShare } from './torrents'

/** What there is room for in a row: two lines without columns, the most important columns, all. */
export type Room = 'narrow' | 'some' | 'all'

const columnsFor: Record<Room, readonly string[]> = {
  narrow: ['torrent'],
  some: ['name', 'state', 'have', 'down'],
  all: ['name', 'state', 'have', 'peers', 'down', 'up', 'ratio', 'size'],
}

/** The columns of the list, as many as there is room for. */
export function useColumns(room: Room): Column<Torrent>[] {
  const t = useText(text)
  const format = useFormat()
  return useMemo(() => {
    const held = (torrent: Torrent) => {
      const share = heldShare(torrent)
      return share === null ? '' : format.percent(shownShare(share))
    }
    const rate = (bytes: number) => bytes > 0 ? format.rate(bytes) : ''
    const arrow = (sign: string, bytes: number) => bytes > 0 ? `${sign} ${format.rate(bytes)}` : ''
    const name = (torrent: Torrent, active: boolean) => (
      <Link to="/torrents" search={(before) => ({ ...before, selected: torrent.infoHash })} className={classes.link} tabIndex={active ? 0 : -1} aria-label={nameOf(torrent)}><ReleaseName name={nameOf(torrent)} /></Link>
    )
    const columns: Column<Torrent>[] = [
      {
        id: 'torrent', title: t.columns.name, track: 'minmax(0, 1fr)',
        cell: (torrent, { active }) => (
          <div className={classes.two}>{name(torrent, active)}<StandingLine torrent={torrent} figures={[held(torrent), arrow('↓', torrent.downRate), arrow('↑', torrent.upRate)]} /></div>
        ),
      },
      { id: 'name', title: t.columns.name, track: 'minmax(120px, 5fr)', sort: 'name', cell: (torrent, { active }) => name(torrent, active) },
      { id: 'state', title: t.columns.state, track: 'minmax(136px, 4fr)', cell: (torrent) => <StandingLine torrent={torrent} /> },
      { id: 'have', title: t.columns.have, track: '68px', end: true, sort: 'have', cell: held },
      { id: 'peers', title: t.columns.peers, track: '104px', end: true, sort: 'peers', cell: (torrent) => torrent.state === 'closed' ? '' : t.peersOf(format.number(torrent.peers), torrent.seeds) },
      { id: 'down', title: t.columns.down, track: '80px', end: true, sort: 'down', cell: (torrent) => rate(torrent.downRate) },
      { id: 'up', title: t.columns.up, track: '80px', end: true, sort: 'up', cell: (torrent) => rate(torrent.upRate) },
      { id: 'ratio', title: t.columns.ratio, track: '68px', end: true, sort: 'ratio', cell: (torrent) => torrent.ratio === null ? '' : format.ratio(torrent.ratio) },
      { id: 'size', title: t.columns.size, track: '72px', end: true, sort: 'size', cell: (torrent) => torrent.size > 0 ? format.size(torrent.size) : '' },
    ]
    return columns.filter(({ id }) => columnsFor[room].includes(id))
  }, [t, format, room])
}

const nameOf = (torrent: Torrent) => torrent.name === '' ? torrent.infoHash : torrent.name
