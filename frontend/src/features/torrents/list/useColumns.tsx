import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Torrent } from '~/api/types'
import { useFormat } from '~/ui/format/useFormat'
import type { Column } from '~/ui/table/column'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'
import classes from './list.module.css'
import { Standing } from './Standing'
import { heldShare } from './torrents'

/** The columns of the list: fewer beside open details (`tight`), two lines on narrow screens. */
export function useColumns(narrow: boolean, tight: boolean): Column<Torrent>[] {
  const t = useText(text)
  const format = useFormat()
  return useMemo(() => {
    const held = (torrent: Torrent) => {
      const share = heldShare(torrent)
      return share === null ? '' : format.percent(share)
    }
    const rate = (bytes: number) => bytes > 0 ? format.rate(bytes) : ''
    const name = (torrent: Torrent, active: boolean) => (
      <Link to="/torrents" search={(before) => ({ ...before, selected: torrent.infoHash })} className={classes.link} tabIndex={active ? 0 : -1} title={torrent.name}>{torrent.name === '' ? torrent.infoHash : torrent.name}</Link>
    )
    if (narrow) {
      return [{
        id: 'name', title: t.columns.name, track: 'minmax(0, 1fr)',
        cell: (torrent, { active }) => (
          <div className={classes.two}>
            {name(torrent, active)}
            <span className={classes.note}><Standing torrent={torrent} /> {[held(torrent), rate(torrent.downRate), torrent.reason].filter((part) => part !== '' && part !== null).join(' · ')}</span>
          </div>
        ),
      }]
    }
    const columns: Column<Torrent>[] = [
      { id: 'name', title: t.columns.name, track: 'minmax(140px, 1.4fr)', sort: 'name', cell: (torrent, { active }) => name(torrent, active) },
      { id: 'state', title: t.columns.state, track: '168px', cell: (torrent) => <Standing torrent={torrent} /> },
      { id: 'have', title: t.columns.have, track: '80px', end: true, sort: 'have', cell: held },
      { id: 'peers', title: t.columns.peers, track: '112px', end: true, sort: 'peers', cell: (torrent) => torrent.state === 'closed' ? '' : t.peersOf(format.number(torrent.peers), format.number(torrent.seeds)) },
      { id: 'down', title: t.columns.down, track: '88px', end: true, sort: 'down', cell: (torrent) => rate(torrent.downRate) },
      { id: 'up', title: t.columns.up, track: '88px', end: true, sort: 'up', cell: (torrent) => rate(torrent.upRate) },
      { id: 'size', title: t.columns.size, track: '80px', end: true, sort: 'size', cell: (torrent) => torrent.size > 0 ? format.size(torrent.size) : '' },
      { id: 'reason', title: t.columns.reason, track: 'minmax(0, 1fr)', cell: (torrent) => torrent.reason !== null && <span title={torrent.reason}>{torrent.reason}</span> },
    ]
    const spared = ['up', 'size', 'reason']
    return tight ? columns.filter(({ id }) => !spared.includes(id)) : columns
  }, [t, format, narrow, tight])
}
