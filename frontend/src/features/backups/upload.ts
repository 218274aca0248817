import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { address } from '~/api/address'
import { confirmedBy, csrfToken } from '~/api/client'
import { ApiError } from '~/api/error'
import { restoreQuery } from './calls'

/** Sends a file; fetch does not tell how much of it has gone. */
function send(file: File, confirmation: string, tell: (share: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', `${address('api/v1/restore')}?name=${encodeURIComponent(file.name)}`)
    const token = csrfToken()
    if (token !== null) request.setRequestHeader('X-CSRF-Token', token)
    for (const [header, value] of Object.entries(confirmedBy(confirmation))) request.setRequestHeader(header, value)
    request.setRequestHeader('Content-Type', 'application/zip')
    request.upload.onprogress = (event) => tell(event.total === 0 ? 0 : event.loaded / event.total)
    request.onerror = () => reject(new ApiError(0, 'The server does not answer.'))
    request.onload = () => {
      if (request.status < 300) return resolve()
      let body: unknown = null
      try {
        body = JSON.parse(request.responseText)
      } catch {
        // Not the server's own answer: the status says enough.
      }
      return reject(ApiError.of(request.status, body))
    }
    request.send(file)
  })
}

/** Sends a backup to be restored; `share` says how much of it has gone. */
export function useUpload() {
  const client = useQueryClient()
  const [share, setShare] = useState(0)
  const upload = useMutation({ mutationFn: ({ file, confirmation }: { file: File; confirmation: string }) => send(file, confirmation, setShare), onMutate: () => setShare(0), onSuccess: () => client.invalidateQueries({ queryKey: restoreQuery.queryKey }) })
  return { upload, share }
}
