import { Button, Menu, SegmentedControl, Select, Text, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useParams, useSearchParams } from 'react-router'
import css from '../cohort/Cohort.module.css'
import { Compared } from '../cohort/Compared'
import { results as asked, type Counting, fileAt, type Results, type Where } from '../cohort/data'
import { Figures, Items } from '../cohort/Figures'
import { AT_MOST, People } from '../cohort/People'
import { Similar } from '../cohort/Similar'
import { many } from '../desk/format'
import { AppliedRejudges } from '../own/Notices'
import { Loaded } from '../parts/States'
import { AssessmentFrame } from '../team/AssessmentFrame'

export function Component() {
  return <AssessmentFrame>{() => <Whole />}</AssessmentFrame>
}

/** The results; what is chosen on the page stands in its address. */
function Whole() {
  const { teamId = '', assessmentId = '' } = useParams()
  const [params] = useSearchParams()
  const where = { teamId, assessmentId }
  const version = Number(params.get('version'))
  const counting: Counting = {
    attempts: params.get('attempts') === 'last' ? 'last' : 'best',
    ...(version > 0 && { version }),
  }
  return (
    <Loaded query={useQuery(asked(where, counting))}>
      {results => <Told where={where} counting={counting} results={results} />}
    </Loaded>
  )
}

interface ToldProps {
  where: Where
  counting: Counting
  results: Results
}

function Told({ where, counting, results }: ToldProps) {
  const [params, setParams] = useSearchParams()
  const at = `/teams/${where.teamId}/assessments/${where.assessmentId}`
  const put = (name: string, value: string) =>
    setParams(
      before => {
        before.delete(name)
        if (value) before.set(name, value)
        return before
      },
      // At once: a second click must see what the first one chose.
      { replace: true, preventScrollReset: true, flushSync: true },
    )
  const chosen = (params.get('people') ?? '').split(',').filter(Boolean).slice(0, AT_MOST)
  const compared = chosen.flatMap(id => results.people.filter(each => each.participation_id === id))
  return (
    <>
      <Bar where={where} counting={counting} results={results} put={put} />
      {results.finished === 0 ? (
        <Text c="dimmed">
          {results.started
            ? 'Nobody has finished yet. Results are here as soon as somebody has.'
            : 'Nobody has started yet. Invite people, and their results will be here.'}
        </Text>
      ) : (
        <>
          <Figures results={results} />
          <Notes results={results} />
          <AppliedRejudges {...where} />
          <Part title="Items">
            <Items items={results.items} />
          </Part>
          <Part title="People">
            <People
              results={results}
              at={at}
              sort={params.get('sort') ?? '-score'}
              onSort={sort => put('sort', sort)}
              chosen={chosen}
              onChoose={ids => put('people', ids.join(','))}
            />
          </Part>
          {compared.length > 1 && (
            <Part title="Side by side" id="compare">
              <Compared
                where={where}
                at={at}
                results={results}
                people={compared}
                slug={params.get('item') ?? ''}
                onSlug={slug => put('item', slug)}
              />
            </Part>
          )}
          <Part title="Similar answers">
            <Similar
              where={where}
              at={at}
              open={params.get('pair') ?? ''}
              onOpen={pair => put('pair', pair)}
            />
          </Part>
        </>
      )}
    </>
  )
}

function Part({ title, id, children }: { title: string; id?: string; children: ReactNode }) {
  return (
    <section className={css.part} id={id}>
      <Title order={2} fz="1.35rem" mb="sm">
        {title}
      </Title>
      {children}
    </section>
  )
}

function Notes({ results }: { results: Results }) {
  const said = [
    results.unfinished > 0 &&
      `${many(results.unfinished, 'answer')} still being judged; the figures may change.`,
    results.left_out > 0 && `${many(results.left_out, 'older participation')} left out.`,
  ].filter(Boolean)
  return said.length > 0 ? (
    <Text size="sm" c="dimmed" mt="sm">
      {said.join(' ')}
    </Text>
  ) : null
}

const FILES = [
  ['csv', 'Table (CSV)'],
  ['json', 'Data (JSON)'],
  ['pdf', 'Report (PDF)'],
] as const

function Bar({ where, counting, results, put }: ToldProps & { put: (name: string, value: string) => void }) {
  return (
    <div className={css.bar}>
      <SegmentedControl
        aria-label="Which attempt counts"
        value={counting.attempts}
        onChange={value => put('attempts', value === 'last' ? value : '')}
        data={[
          { value: 'best', label: 'Best attempt' },
          { value: 'last', label: 'Last attempt' },
        ]}
      />
      {results.versions.length > 1 && (
        <Select
          aria-label="Version of the plan"
          w={170}
          allowDeselect={false}
          value={String(counting.version ?? '')}
          onChange={value => put('version', value ?? '')}
          data={[
            { value: '', label: 'All versions' },
            ...results.versions.map(each => ({ value: String(each), label: `Version ${each}` })),
          ]}
        />
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" ml="auto" leftSection={<IconDownload size={16} />}>
            Download
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {FILES.map(([ending, name]) => (
            <Menu.Item key={ending} component="a" href={fileAt(where, ending, counting)} download>
              {name}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}
