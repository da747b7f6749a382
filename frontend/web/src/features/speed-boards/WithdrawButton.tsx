import { Button, Text, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap } from '@/api/client'
import { useMe } from '@/api/queries'
import { ConfirmDialog } from '@/shared/forms/ConfirmDialog'

const LONGEST = 500

/** Lets admins withdraw a measured answer from its board. Nothing for anybody else. */
export function WithdrawButton({ id, name }: { id: string; name: string }) {
  const isAdmin = useMe()?.role === 'admin'
  const [asking, setAsking] = useState(false)
  const [reason, setReason] = useState('')
  const client = useQueryClient()
  const withdraw = useMutation({
    mutationFn: () =>
      unwrap(
        api.PUT('/api/admin/measurements/{measurement_id}/review', {
          params: { path: { measurement_id: id } },
          body: { decision: 'withdraw', reason },
        }),
      ),
    onSuccess: () => {
      setAsking(false)
      for (const name of ['speed-entry', 'speed-board', 'speed-boards', 'admin'])
        client.invalidateQueries({ queryKey: [name] })
    },
  })
  if (!isAdmin) return null
  return (
    <>
      <Button size="xs" variant="default" c="var(--g-bad)" onClick={() => setAsking(true)}>
        Withdraw
      </Button>
      {asking && (
        <ConfirmDialog
          title={`Withdraw the answer of ${name}?`}
          label="Withdraw"
          grave
          disabled={reason.trim() === ''}
          onClose={() => setAsking(false)}
          onSend={() => withdraw.mutate()}
          busy={withdraw.isPending}
          error={withdraw.error}
        >
          <Text size="sm" mb="sm">
            The answer leaves the board. Its owner reads the reason. You can restore it on the admin page
            «Measurements».
          </Text>
          <Textarea
            label="Reason"
            required
            autosize
            minRows={2}
            maxLength={LONGEST}
            value={reason}
            onChange={event => setReason(event.currentTarget.value)}
          />
        </ConfirmDialog>
      )}
    </>
  )
}
