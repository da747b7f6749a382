import { Alert, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '@/api/client'
import { formatCount, formatDuration, formatOptionalDateTime, pluralize } from '@/shared/format/numbers'
import { ConfirmButton } from '@/shared/forms/ConfirmButton'
import { Loaded } from '@/shared/ui/QueryStates'
import { StatusBadge } from '@/shared/ui/StatusBadge'
import css from '../Admin.module.css'
import { AdminPart, AdminSection } from '../AdminSection'
import { nodes, queue, useAdminMutation } from '../requests'
import { NodeTokens } from './NodeTokens'
import { SubmissionList } from './SubmissionList'

type Node = Schemas['NodeView']

export function Queue() {
  return (
    <AdminPart title="Nodes and queue" description="Updated every three seconds.">
      <Loaded query={useQuery(queue)}>{found => <Depth queue={found} />}</Loaded>
      <AdminSection title="Nodes">
        <Loaded query={useQuery(nodes)}>{found => <Nodes found={found} />}</Loaded>
      </AdminSection>
      <NodeTokens />
      <AdminSection title="Judge errors">
        <Text size="sm" c="dimmed" mb="sm">
          Errors on our side, newest first. They do not count against the person who submitted.
        </Text>
        <SubmissionList filter={{ verdict: 'JE' }} empty="None. Every submission was judged." />
      </AdminSection>
    </AdminPart>
  )
}

function Depth({ queue: found }: { queue: Schemas['QueueReport'] }) {
  return (
    <div className={css.tiles}>
      <Tile figure={formatCount(found.queued)} label="queued" />
      <Tile figure={formatDuration(found.queued_oldest_s)} label="longest wait in the queue" />
      <Tile figure={formatCount(found.judging)} label="being judged" />
      <Tile figure={formatDuration(found.judging_oldest_s)} label="longest running" />
      <Tile figure={formatCount(found.again)} label="queued rejudges" />
      <Tile figure={formatCount(found.retried)} label="requeued after a fault" />
    </div>
  )
}

function Tile({ figure, label }: { figure: string; label: string }) {
  return (
    <div className={css.tile}>
      <span className={css.figure}>{figure}</span>
      <span className={css.label}>{label}</span>
    </div>
  )
}

function Nodes({ found }: { found: Schemas['NodeList'] }) {
  const listed = new Set([...found.items, ...found.expected].map(node => node.name))
  const wanted = found.expected.filter(node => node.state === 'connected' || node.state === 'missing')
  const there = wanted.filter(node => node.state === 'connected').length
  const away = found.drained.filter(name => !listed.has(name))
  return (
    <>
      {wanted.length > 0 && (
        <Text size="sm" mb="sm" c={there < wanted.length ? 'var(--g-bad)' : 'dimmed'}>
          {there} of {pluralize(wanted.length, 'expected node')} connected.
        </Text>
      )}
      {found.items.length === 0 && (
        <Alert color="red" variant="light" title="No node is connected" mb="sm">
          Submissions wait in the queue until a node connects. None are lost.
        </Alert>
      )}
      {found.items.map(node => (
        <OneNode key={node.name} node={node} />
      ))}
      {found.expected
        .filter(node => !found.items.some(each => each.name === node.name))
        .map(node => (
          <Awaited key={node.name} node={node} />
        ))}
      {away.map(name => (
        <div key={name} className={css.card}>
          <div className={css.head}>
            <Text fw={600}>{name}</Text>
            <StatusBadge state="stopped">Drained, not connected</StatusBadge>
            <Drain name={name} drained judging={0} />
          </div>
        </div>
      ))}
    </>
  )
}

const STATES = {
  connected: 'Connected to another server process',
  missing: 'Missing',
  drained: 'Drained',
  elastic: 'Not connected',
}

/** A node that has a token, or runs on this machine, but is not connected. */
function Awaited({ node }: { node: Schemas['ExpectedNode'] }) {
  return (
    <article className={css.card}>
      <div className={css.head}>
        <Text fw={600}>{node.name}</Text>
        <StatusBadge state={node.state === 'connected' ? 'done' : 'stopped'}>
          {STATES[node.state]}
        </StatusBadge>
        <Text size="sm" c="dimmed" flex="1 1 14rem">
          {node.device ?? 'device unknown'} ·{' '}
          {node.joined
            ? `last seen ${formatOptionalDateTime(node.since)}`
            : `never joined, expected since ${formatOptionalDateTime(node.since)}`}
        </Text>
        {!node.local && <Drain name={node.name} drained={node.state === 'drained'} judging={0} />}
      </div>
      {node.state === 'missing' && (
        <Text size="sm" mt={6}>
          {node.local
            ? 'The server restarts it automatically. The log says why it stopped.'
            : 'It should be connected. Start it again, drain it if it is down on purpose, or revoke its token if it will not come back.'}
        </Text>
      )}
      {node.state === 'elastic' && (
        <Text size="sm" mt={6} c="dimmed">
          Part of an autoscaling group, so this is not a fault.
        </Text>
      )}
    </article>
  )
}

/** Above this share of the last minute, the page says that the node's machine was too busy to judge. */
const STARVES = 0.5

function OneNode({ node }: { node: Node }) {
  const slots = Object.values(node.slots).reduce((sum, each) => sum + each, 0)
  const state = node.drained ? 'Drained' : node.reason ? 'Cannot judge' : 'In service'
  return (
    <article className={css.card}>
      <div className={css.head}>
        <Text fw={600}>{node.name}</Text>
        <StatusBadge state={state === 'In service' ? 'done' : 'stopped'}>{state}</StatusBadge>
        <Text size="sm" c="dimmed" flex="1 1 14rem">
          {node.gpus.join('; ') || node.device} · connected {formatOptionalDateTime(node.connected_at)}
        </Text>
        <Drain name={node.name} drained={node.drained} judging={node.judging} />
      </div>
      {node.reason && (
        <Text size="sm" c="var(--g-bad)" mt={6}>
          {node.reason}
        </Text>
      )}
      <Text size="sm" mt={8}>
        {node.judging} of {pluralize(slots, 'slot')} busy · {formatCount(node.judged)} judged since it
        connected, {node.per_minute} in the last minute
        {node.mean_s !== null && `, ${formatDuration(node.mean_s)} each`}
        {node.starving !== null && node.starving > STARVES && (
          <>, while its machine was too busy to judge for {Math.round(node.starving * 100)}% of that minute</>
        )}{' '}
        · {pluralize(node.faults, 'fault')}
      </Text>
      <Text size="xs" c="dimmed" mt={4}>
        {Object.entries(node.versions)
          .map(([name, version]) => `${name} ${version}`)
          .join(' · ')}
        {' · '}
        {node.speed === null ? 'speed not measured' : `speed: ${node.speed.toFixed(2)} × reference machine`}
      </Text>
      {node.jobs.length > 0 && (
        <ul style={{ margin: '0.6rem 0 0', paddingLeft: '1.1rem', fontSize: '0.9rem' }}>
          {node.jobs.map(job => (
            <li key={job.submission_id}>
              {job.slug}, for {formatDuration(job.seconds)}
              {job.attempt > 1 && `, attempt ${job.attempt}`}
            </li>
          ))}
        </ul>
      )}
    </article>
  )
}

function Drain({ name, drained, judging }: { name: string; drained: boolean; judging: number }) {
  const params = { path: { name } }
  const drain = useAdminMutation(() => unwrap(api.PUT('/api/admin/nodes/{name}/drain', { params })))
  const undrain = useAdminMutation(() => unwrap(api.DELETE('/api/admin/nodes/{name}/drain', { params })))
  return drained ? (
    <ConfirmButton
      label="Return to service"
      title={`Return ${name} to service?`}
      act={() => undrain.mutateAsync(undefined)}
    >
      <Text size="sm">It takes submissions from the queue as soon as it reports a free slot.</Text>
    </ConfirmButton>
  ) : (
    <ConfirmButton label="Drain" title={`Drain ${name}?`} act={() => drain.mutateAsync(undefined)}>
      <Text size="sm">
        {judging > 0 && `First, it finishes the ${pluralize(judging, 'submission')} that it is judging. `}It
        takes no new submissions until you return it to service, even if it reconnects.
      </Text>
    </ConfirmButton>
  )
}
