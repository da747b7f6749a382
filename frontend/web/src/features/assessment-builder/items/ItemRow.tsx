import { ActionIcon, Button, Text } from '@mantine/core'
import { IconArrowsShuffle, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { pluralize } from '@/shared/format/numbers'
import { Chip } from '@/shared/ui/Chip'
import { Difficulty } from '@/shared/ui/Difficulty'
import css from '../Builder.module.css'
import { usePlanContext } from '../context'
import { NumberField } from '../NumberField'
import { applyChange, type Step } from '../plan/changes'
import { type Choice, choiceTitle, type Item, LIMITS, nameOf, type Section } from '../plan/form'
import { describeQuestion, fromDraft, itemsBefore, minutesOfQuestion, toDraft } from '../plan/questions'
import { ChoiceVariants } from './ChoiceVariants'
import { ItemFollowUps } from './ItemFollowUps'
import { ItemPicker } from './ItemPicker'
import { ItemRules } from './ItemRules'
import { byArrow, focusAfter, MoveButtons } from './MoveButtons'
import { QuestionDialog } from './QuestionDialog'

interface Props {
  item: Item
  section: Section
  field: string
}

/** One item of the plan: the choices, of which each candidate gets one, and the points. */
export function ItemRow({ item, section, field }: Props) {
  const { form, change, problem, things } = usePlanContext()
  const [picking, setPicking] = useState(false)
  const [editing, setEditing] = useState<number>()
  const edited = editing === undefined ? undefined : item.choices[editing]
  const id = `item-${item.key}`
  const title = (choice: Choice) => choiceTitle(choice, things)
  const name = item.choices[0] ? title(item.choices[0]) : item.key
  const move = (by: Step) => change({ do: 'move item', item: item.key, by })
  const can = (by: Step) => applyChange(form, { do: 'move item', item: item.key, by }) !== form
  return (
    <li className={css.item} onKeyDown={byArrow(id, can, move)}>
      <div className={css.choices}>
        {item.choices.map((choice, at) => (
          <div key={nameOf(choice)} className={css.choice}>
            {at > 0 && <span className={css.or}>or</span>}
            <ChoiceLine
              choice={choice}
              onVariants={variants =>
                change(
                  { do: 'set choice', item: item.key, at, choice: { ...choice, variants } },
                  title(choice),
                )
              }
              onEdit={() => setEditing(at)}
              problem={[`choices.${at}`, `choices.${at}.question.about`, 'key']
                .map(each => problem(`${field}.${each}`))
                .find(Boolean)}
            />
            {item.choices.length > 1 && (
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Remove ${title(choice)} from the alternatives`}
                onClick={() => {
                  focusAfter(
                    () => change({ do: 'remove choice', item: item.key, at }, title(choice)),
                    `${id}-or`,
                  )
                }}
              >
                <IconX size={15} />
              </ActionIcon>
            )}
          </div>
        ))}
        <Button
          id={`${id}-or`}
          size="compact-xs"
          variant="subtle"
          leftSection={<IconArrowsShuffle size={14} />}
          disabled={item.choices.length >= LIMITS.choices}
          aria-label={`Add alternative to ${name}`}
          onClick={() => setPicking(true)}
        >
          Add alternative
        </Button>
        <ItemRules item={item} name={name} field={field} />
        <ItemFollowUps item={item} name={name} field={field} />
      </div>
      <div className={css.worth}>
        <NumberField
          aria-label={`Points for ${name}`}
          rightSection={<span className={css.unit}>pt</span>}
          hideControls
          w={84}
          max={LIMITS.points}
          value={item.points}
          error={problem(`${field}.points`)}
          onChange={points => change({ do: 'set item', item: item.key, fields: { points } })}
        />
        <MoveButtons
          name={name}
          id={id}
          can={can}
          move={move}
          remove={() => {
            focusAfter(
              () => change({ do: 'remove item', item: item.key }, name),
              `section-${section.key}-add`,
            )
          }}
        />
      </div>
      {edited?.question && editing !== undefined && (
        <QuestionDialog
          title={`Edit ${title(edited)}`}
          start={toDraft(edited.question)}
          before={itemsBefore(form, section.key, item.key)}
          things={things}
          onSave={question => {
            const choice = { ...edited, question: fromDraft(question) }
            change({ do: 'set choice', item: item.key, at: editing, choice })
            setEditing(undefined)
          }}
          onClose={() => setEditing(undefined)}
        />
      )}
      {picking && (
        <ItemPicker
          title={`Add alternative to ${name}`}
          full={item.choices.length >= LIMITS.choices}
          onPick={({ choice, followUps }) => {
            const follow_ups = followUps.slice(0, item.follow_up_points.length)
            change({ do: 'add choice', item: item.key, choice: { ...choice, follow_ups } })
          }}
          onClose={() => setPicking(false)}
        />
      )}
    </li>
  )
}

interface ChoiceLineProps {
  choice: Choice
  problem: string | undefined
  onVariants: (drawn: boolean) => void
  onEdit: () => void
}

function ChoiceLine({ choice, problem, onVariants, onEdit }: ChoiceLineProps) {
  const thing = usePlanContext().things?.get(nameOf(choice))
  return (
    <div className={css.thing} data-level={thing?.difficulty}>
      {choice.question ? (
        <button
          type="button"
          className={css.edit}
          aria-label={`Edit ${choice.question.title}`}
          onClick={onEdit}
        >
          {choice.question.title}
        </button>
      ) : (
        <a href={thing?.address || undefined} target="_blank" rel="noreferrer" className={css.name}>
          {thing?.title ?? choice.name}
        </a>
      )}
      <div className={css.about}>
        {choice.question && (
          <>
            <span>{describeQuestion(choice.question)}</span>
            <span>about {minutesOfQuestion(choice.question)} min</span>
            {choice.question.about && <span>about the candidate’s own code</span>}
          </>
        )}
        {thing && (
          <>
            <Difficulty level={thing.difficulty} />
            <span>
              {choice.kind === 'quiz' ? `quiz, ${pluralize(thing.questions, 'question')}` : 'challenge'}
            </span>
            <span>about {thing.minutes} min</span>
            {thing.unproven && <Chip tone="bad">Unproven</Chip>}
          </>
        )}
      </div>
      {thing && thing.variants.length > 0 && (
        <ChoiceVariants thing={thing} drawn={choice.variants} onChange={onVariants} />
      )}
      {problem && (
        <Text size="sm" c="var(--g-bad)">
          {problem}
        </Text>
      )}
    </div>
  )
}
