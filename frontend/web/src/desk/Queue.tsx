import { Alert, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, type Schemas, told } from '../api/client'
import { Loaded } from '../parts/States'
import css from './Desk.module.css'
import { nodes, queue, useDeed } from './data'
import { count, lasting, many, when } from './format'
import { Chip, Part, Section, Sure } from './Parts'
import { Sent } from './Sent'
import { Tokens } from './Tokens'

type Node = Schemas['NodeView']

export function Queue() {
  return (
    <Part title="Nodes and queue" told="As it is now; asked for again every three seconds.">
      <Loaded query={useQuery(queue)}>{found => <Depth queue={found} />}</Loaded>
      <Section title="Nodes">
        <Loaded query={useQuery(nodes)}>{found => <Nodes found={found} />}</Loaded>
      </Section>
      <Tokens />
      <Section title="Judge errors">
        <Text size="sm" c="dimmed" mb="sm">
          Our own faults, newest first. They cost the candidate nothing.
        </Text>
        <Sent filter={{ verdict: 'JE' }} empty="None. Everything that was sent could be judged." />
      </Section>
    </Part>
  )
}

function Depth({ queue: found }: { queue: Schemas['QueueReport'] }) {
  return (
    <div className={css.tiles}>
      <Tile figure={count(found.queued)} label="in the queue" />
      <Tile figure={lasting(found.queued_oldest_s)} label="the oldest has waited" />
      <Tile figure={count(found.judging)} label="being judged" />
      <Tile figure={lasting(found.judging_oldest_s)} label="the oldest is judged since" />
      <Tile figure={count(found.again)} label="rejudges among the queued" />
      <Tile figure={count(found.retried)} label="queued again after a fault" />
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
  const away = found.drained.filter(name => !found.items.some(node => node.name === name))
  return (
    <>
      {found.items.length === 0 && (
        <Alert color="red" variant="light" title="No node is connected">
          What is sent is kept and waits.
        </Alert>
      )}
      {found.items.map(node => (
        <OneNode key={node.name} node={node} />
      ))}
      {away.map(name => (
        <div key={name} className={css.card}>
          <div className={css.head}>
            <Text fw={600}>{name}</Text>
            <Chip state="stopped">drained, not connected</Chip>
            <Drain name={name} drained judging={0} />
          </div>
        </div>
      ))}
    </>
  )
}

function OneNode({ node }: { node: Node }) {
  const slots = Object.values(node.slots).reduce((sum, each) => sum + each, 0)
  const state = node.drained ? 'drained' : node.reason ? 'cannot judge' : 'judging'
  return (
    <article className={css.card}>
      <div className={css.head}>
        <Text fw={600}>{node.name}</Text>
        <Chip state={state === 'judging' ? 'done' : 'stopped'}>
          {state === 'judging' ? 'in service' : state}
        </Chip>
        <Text size="sm" c="dimmed" flex="1 1 14rem">
          {node.gpus.join('; ') || node.device} · connected {when(node.connected_at)}
        </Text>
        <Drain name={node.name} drained={node.drained} judging={node.judging} />
      </div>
      {node.reason && (
        <Text size="sm" c="var(--g-bad)" mt={6}>
          {node.reason}
        </Text>
      )}
      <Text size="sm" mt={8}>
        {node.judging} of {many(slots, 'slot')} busy · {count(node.judged)} judged since it connected,{' '}
        {node.per_minute} in the last minute
        {node.mean_s !== null && `, ${lasting(node.mean_s)} each`} · {many(node.faults, 'fault')}
      </Text>
      <Text size="xs" c="dimmed" mt={4}>
        {Object.entries(node.versions)
          .map(([name, version]) => `${name} ${version}`)
          .join(' · ')}
      </Text>
      {node.jobs.length > 0 && (
        <ul style={{ margin: '0.6rem 0 0', paddingLeft: '1.1rem', fontSize: '0.9rem' }}>
          {node.jobs.map(job => (
            <li key={job.submission_id}>
              {job.slug}, for {lasting(job.seconds)}
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
  const drain = useDeed(() => told(api.PUT('/api/admin/nodes/{name}/drain', { params })))
  const undrain = useDeed(() => told(api.DELETE('/api/admin/nodes/{name}/drain', { params })))
  return drained ? (
    <Sure
      label="Put back into service"
      title={`Give ${name} jobs again?`}
      act={() => undrain.mutateAsync(undefined)}
    >
      <Text size="sm">It takes from the queue as soon as it reports a free slot.</Text>
    </Sure>
  ) : (
    <Sure label="Drain" title={`Give ${name} no more jobs?`} act={() => drain.mutateAsync(undefined)}>
      <Text size="sm">
        {judging > 0 && `It ends the ${many(judging, 'judging')} it has. `}It stays out of service when it
        connects anew, until you put it back.
      </Text>
    </Sure>
  )
}
