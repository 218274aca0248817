import { Text, Title } from '@mantine/core'
import type { PostedFile } from '~/api/types'
import { useFormat } from '~/ui/format/useFormat'
import { ScrollTable } from '~/ui/pane/ScrollTable'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'
import classes from './pane.module.css'

type Props = { posted: PostedFile[]; total: number }

/** The posted files that hold a file's bytes, folded away. */
export function PostedTable({ posted, total }: Props) {
  const t = useText(text)
  const format = useFormat()
  const head = t.postedTable
  return (
    <details className={classes.fold}>
      <summary><Title order={3}>{head.title} ({format.number(total)})</Title></summary>
      <ScrollTable label={head.title} className={classes.posted}>
        <thead>
          <tr>{[head.number, head.name, head.size, head.articles, head.missing].map((title) => <th key={title} scope="col">{title}</th>)}</tr>
        </thead>
        <tbody>
          {posted.map((one) => (
            <tr key={one.index} data-missing={one.missing > 0 || undefined}>
              <td>{format.number(one.index + 1)}</td>
              <td>{one.name ?? <Text span inherit c="dimmed">{head.unknown}</Text>}</td>
              <td>{format.size(one.length)}</td>
              <td>{format.number(one.articles)}</td>
              <td>{format.number(one.missing)}</td>
            </tr>
          ))}
        </tbody>
      </ScrollTable>
      {total > posted.length && <Text size="sm" c="dimmed">{head.more(posted.length, total)}</Text>}
    </details>
  )
}
