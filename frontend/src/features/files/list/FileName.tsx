import { IconDeviceTv, IconFile, IconFolder, IconMusic, IconSubtask } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { FileItem } from '~/api/types'
import { ReleaseName } from '~/ui/ReleaseName'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'
import classes from './list.module.css'

/** The sign of a kind of item. */
function Sign({ item: { kind, playable, contentType, name }, label }: { item: FileItem; label: string }) {
  const props = { size: 18, stroke: 1.6, className: classes.sign, 'aria-label': label, role: 'img' }
  if (kind === 'collection') return <IconFolder {...props} />
  if (contentType?.startsWith('audio/') === true) return <IconMusic {...props} />
  if (playable) return <IconDeviceTv {...props} />
  return /\.(srt|vtt|ass|ssa|sub)$/i.test(name) ? <IconSubtask {...props} /> : <IconFile {...props} />
}

type Props = { item: FileItem; note: string | null; active: boolean }

/** The name as a real link: it opens in another tab like any other. Long names are cut in the middle, so that episode and ending stay readable. */
export function FileName({ item, note, active }: Props) {
  const t = useText(text)
  const folder = item.kind === 'collection'
  return (
    <span className={classes.name}>
      <Sign item={item} label={folder ? t.folder : t.file} />
      <Link to="/files" search={(before) => folder ? { path: item.path, sort: before.sort } : { ...before, selected: item.id }} className={classes.link} tabIndex={active ? 0 : -1} title={item.name}>
        <ReleaseName name={item.name} />
        {note !== null && <span className={classes.note}>{note}</span>}
      </Link>
    </span>
  )
}
