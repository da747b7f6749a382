import { Text } from '@mantine/core'
import { CopyValue } from '@/shared/forms/Secret'
import { Row, Section } from '@/shared/forms/Section'
import css from './Connections.module.css'

const MESSAGE = `POST /gradus HTTP/1.1
Content-Type: application/json
webhook-id: 019f3c2a71b400005c0e9a7d42f1b6aa
webhook-timestamp: 1777888800
webhook-signature: v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=

{
  "type": "participation.judged",
  "timestamp": "2026-05-04T10:00:00.000Z",
  "data": {
    "team_id": "…", "assessment_id": "…",
    "invitation_id": "…", "participation_id": "…",
    "result": "https://…/api/tracking/invitations/…",
    "report": "https://…/teams/…/people/…"
  }
}`

const CHECK = `import base64, hashlib, hmac, time

def is_ours(secret: str, headers: dict[str, str], body: bytes) -> bool:
    sent = headers["webhook-timestamp"]
    if abs(time.time() - int(sent)) > 300:
        return False
    signed = f"{headers['webhook-id']}.{sent}.".encode() + body
    key = base64.b64decode(secret.removeprefix("whsec_"))
    right = base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
    given = headers["webhook-signature"].split(" ")
    return any(hmac.compare_digest(each, f"v1,{right}") for each in given)`

const invite = (url: string) => `curl ${url}/api/tracking/assessments/$ASSESSMENT/invitations \\
  -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"reference": "candidate-4711", "email": "eve@example.org", "name": "Eve"}'

# the state of one candidate, with scores and the address of the report
curl -H "Authorization: Bearer $TOKEN" ${url}/api/tracking/invitations/$INVITATION

# everything that changed since the last request
curl -H "Authorization: Bearer $TOKEN" "${url}/api/tracking/changes?cursor=$CURSOR"`

/** Example payloads to copy. */
export function Examples() {
  return (
    <Section id="examples" title="Examples">
      <Row
        wide
        label="Example message"
        hint="Messages contain IDs and links, but no names and no code. Respond with 2xx within ten seconds. A message may arrive twice, with the same webhook-id."
      >
        <Example text={MESSAGE} />
      </Row>
      <Row
        wide
        label="Verify the signature"
        hint="Messages are signed as specified by standardwebhooks.com, so its libraries work too. In Python, without a library:"
      >
        <Example text={CHECK} />
      </Row>
      <Row
        wide
        label="Invite candidates and read results from a program"
        hint="The same reference never creates a second invitation, so it is safe to retry a request."
      >
        <Example text={invite(location.origin)} />
        <Text size="sm" c="dimmed" mt="sm">
          All endpoints and fields: <a href="/api/docs">/api/docs</a>, section “Tracking”.
        </Text>
      </Row>
    </Section>
  )
}

function Example({ text }: { text: string }) {
  return (
    <div>
      <pre className={css.code}>{text}</pre>
      <div className={css.copy}>
        <CopyValue value={text} />
      </div>
    </div>
  )
}
