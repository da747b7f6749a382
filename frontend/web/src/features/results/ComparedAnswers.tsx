import { Anchor, Group, Select, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { TextComparison } from '@/features/editor'
import { formatDuration, formatPercent } from '@/shared/format/numbers'
import { Loaded } from '@/shared/ui/QueryStates'
import { VERDICTS } from '@/shared/verdicts'
import { describeResult } from './itemResults'
import css from './Results.module.css'
import { comparedAnswers, type Person, type Results, type Where } from './requests'

interface Props {
  where: Where
  at: string
  results: Results
  people: Person[]
  /** The challenge whose answers are shown. */
  slug: string
  onSlug: (slug: string) => void
}

/** Compares two to four candidates: all their results, and their answers to one challenge. */
export function ComparedAnswers({ where, at, results, people, slug, onSlug }: Props) {
  const challenges = results.items.filter(each => each.kind === 'challenge')
  const shown = challenges.find(each => each.name === slug) ?? challenges[0]
  return (
    <>
      <Table.ScrollContainer minWidth={480}>
        <Table className={css.table} verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Td />
              {people.map(person => (
                <Table.Th key={person.participation_id} className={css.right}>
                  <Anchor component={Link} to={`${at}/people/${person.participation_id}`}>
                    {person.name}
                  </Anchor>
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            <Row name="Score" people={people} of={person => formatPercent(person.share)} />
            <Row name="Time" people={people} of={person => formatDuration(person.seconds)} />
            {results.items.map(item => (
              <Row
                key={`${item.kind} ${item.name}`}
                name={item.title}
                people={people}
                of={person => describeResult(person, item)}
              />
            ))}
            <Row
              name="Pastes"
              people={people}
              of={({ noticed }) => (noticed.pastes ? `${noticed.pastes}, ${noticed.pasted} characters` : '0')}
            />
            <Row name="Left the page" people={people} of={person => String(person.noticed.left)} />
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {shown && (
        <>
          <Select
            mt="lg"
            maw={420}
            label="Answers to"
            allowDeselect={false}
            value={shown.name}
            data={challenges.map(each => ({ value: each.name, label: each.title }))}
            onChange={value => value && onSlug(value)}
          />
          <Answers key={shown.name} where={where} slug={shown.name} people={people} />
        </>
      )}
    </>
  )
}

function Row(props: { name: string; people: Person[]; of: (person: Person) => string }) {
  return (
    <Table.Tr>
      <Table.Th scope="row" className={css.words}>
        {props.name}
      </Table.Th>
      {props.people.map(person => (
        <Table.Td key={person.participation_id} className={css.right}>
          {props.of(person)}
        </Table.Td>
      ))}
    </Table.Tr>
  )
}

/** The first candidate's answer that counts, with each other candidate's beside it. */
function Answers({ where, slug, people }: { where: Where; slug: string; people: Person[] }) {
  const ids = people.map(person => person.participation_id)
  return (
    <Loaded query={useQuery(comparedAnswers(where, slug, ids))}>
      {answers => {
        const [first, ...others] = answers
        if (!first || others.length === 0)
          return (
            <Text c="dimmed" mt="sm">
              {first
                ? `Only ${first.name} submitted an answer to this challenge.`
                : 'None of them submitted an answer to this challenge.'}
            </Text>
          )
        const outcome = (verdict: typeof first.verdict) => (verdict ? VERDICTS[verdict].name : 'not judged')
        return others.map(other => (
          <section key={other.participation_id} aria-label={`${first.name} and ${other.name}`}>
            <Group gap="xs" mt="md">
              <Text size="sm" c="dimmed">
                {first.name}: {outcome(first.verdict)}. {other.name}: {outcome(other.verdict)}.
              </Text>
            </Group>
            <TextComparison before={first.source} after={other.source} names={[first.name, other.name]} />
          </section>
        ))
      }}
    </Loaded>
  )
}
