import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useReducer, useRef, useState } from 'react'
import { api, take } from '~/api/client'
import { keys } from '~/api/live'
import { useText } from '~/ui/text/catalogue'
import { entries } from './entries'
import { Lanes } from './lanes'
import { isJob, readText } from './read'
import { text } from './text'
import { upload, type AddOptions } from './upload'

/** Files that are sent at once: a browser has six lines to a server, and the live stream takes one. */
const AtOnce = 3

/** Adds files, links and texts, and keeps the list of what became of each. */
export function useAdd() {
  const t = useText(text)
  const client = useQueryClient()
  const [list, dispatch] = useReducer(entries, [])
  const next = useRef(1)
  const [lanes] = useState(() => new Lanes(AtOnce, () => void client.invalidateQueries({ queryKey: keys.jobPages })))

  const addFiles = useCallback((files: readonly File[], options: AddOptions) => {
    const known = files.map((file) => ({ file, id: next.current++, error: !isJob(file.name) ? t.notAJob(file.name) : file.size === 0 ? t.empty(file.name) : undefined }))
    dispatch({ type: 'begin', entries: known.map(({ id, file, error }) => ({ id, name: file.name, error })) })
    for (const { file, id, error } of known) {
      if (error !== undefined) continue
      lanes.add(() => upload(file, options, (share) => dispatch({ type: 'progress', id, share })).then(
        (answer) => dispatch({ type: 'answer', ids: [id], answer }),
        (failure: unknown) => dispatch({ type: 'fail', ids: [id], error: (failure as Error).message }),
      ))
    }
  }, [lanes, t])

  const addLinks = useCallback((links: readonly string[], options: AddOptions) => {
    const known = links.map((link) => ({ id: next.current++, name: link }))
    const ids = known.map(({ id }) => id)
    dispatch({ type: 'begin', entries: known })
    lanes.add(() => take(api.POST('/api/v1/jobs/links', { body: { ...options, links: [...links] } })).then(
      (answer) => dispatch({ type: 'answer', ids, answer }),
      (failure: unknown) => dispatch({ type: 'fail', ids, error: (failure as Error).message }),
    ))
  }, [lanes])

  /** False if the text holds nothing to add. */
  const addText = useCallback((pasted: string, options: AddOptions): boolean => {
    const { links, nzb } = readText(pasted)
    if (nzb !== null) addFiles([new File([nzb], `${t.pasted}.nzb`, { type: 'application/x-nzb' })], options)
    else if (links.length > 0) addLinks(links, options)
    return nzb !== null || links.length > 0
  }, [addFiles, addLinks, t])

  const clear = useCallback(() => dispatch({ type: 'clear' }), [])
  return { list, addFiles, addLinks, addText, clear }
}

export type Add = ReturnType<typeof useAdd>
