import { Table } from '@mantine/core'
import type { JobDetails } from '~/api/types'
import { useJobWords } from '~/domain/jobWords'
import { useFormat } from '~/ui/format/useFormat'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'
import classes from './parts.module.css'

/** How long each step took, and its part of the whole. */
export function Timings({ timings }: { timings: JobDetails['timings'] }) {
  const t = useText(text)
  const words = useJobWords()
  const format = useFormat()
  const whole = timings.reduce((sum, { seconds }) => sum + seconds, 0)
  return (
    <Table verticalSpacing={2} horizontalSpacing={0} withRowBorders={false}>
      <Table.Tbody>
        {timings.map(({ step, seconds }) => (
          <Table.Tr key={step}>
            <Table.Th fw={400} scope="row" w={110}>{words.step(step)}</Table.Th>
            <Table.Td aria-hidden><span className={classes.timing}><span className={classes.done} style={{ transform: `scaleX(${whole > 0 ? seconds / whole : 0})` }} /></span></Table.Td>
            <Table.Td ta="right" w={80}>{format.duration(seconds)}</Table.Td>
          </Table.Tr>
        ))}
        <Table.Tr><Table.Th scope="row">{t.total}</Table.Th><Table.Td aria-hidden /><Table.Td ta="right" fw={600}>{format.duration(whole)}</Table.Td></Table.Tr>
      </Table.Tbody>
    </Table>
  )
}
