const REMINDER_END = '</system-reminder>';

/** A text up to the end of its last reminder: behind it none has an end, and each would be looked for to the text's. */
export function untilLastReminder(text: string): string {
  return text.slice(0, text.lastIndexOf(REMINDER_END) + REMINDER_END.length);
}
