// What a person answered to a question that the agent asked by a tool.
import { type JsonObject, isObject, jsonIn, listOf, objectOf, stringOf } from '../transcripts/records.js';

/**
 * "Your questions have been answered: …", "User has answered …", "The user answered: …", "User responded: …",
 * "User selected: …", "User has provided the following answers: …".
 */
const ANSWERED =
  /^(?:the )?(?:user|your questions) (?:has |have been )?(?:answered|responded|selected|provided the following answers)\b/i;

export function isAnswer(result: string): boolean {
  return ANSWERED.test(result);
}

/**
 * A result as other clients tell it where it is JSON: Gemini names the questions by their place, `{"answers":{"0":"Brass"}}`,
 * Codex by their id, `{"answers":{"metal":{"answers":["Brass","user_note: no tin"]}}}`, in any order.
 */
export function answersIn(result: string, { questions }: JsonObject): string {
  const given = result.startsWith('{"answers":') ? objectOf(jsonIn(result)?.['answers']) : {};
  const asked = listOf(questions).filter(isObject);
  const answers = Object.entries(given).flatMap(([key, value]) => {
    const at = asked.findIndex(({ id }, place) => id === key || (id === undefined && `${place}` === key));
    const answer = answerOf(value);
    return answer === '' ? [] : [{ at, about: stringOf(asked[at]?.['header']) ?? key, answer }];
  });
  if (answers.length === 0) return result;
  const [only] = answers;
  if (answers.length === 1) return `User answered: ${only!.answer}`;
  const lines = answers.toSorted((a, b) => a.at - b.at).map(({ about, answer }) => `${about}: ${answer}`);
  return ['User answered:', ...lines].join('\n');
}

function answerOf(value: unknown): string {
  return [isObject(value) ? value['answers'] : value]
    .flat()
    .flatMap((text) => stringOf(text)?.replace(/^user_note: /, '') ?? [])
    .join(', ');
}
