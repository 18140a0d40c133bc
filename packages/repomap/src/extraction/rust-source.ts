/**
 * What the grammar can read, of the same length: in a macro's braces it sees words alone, although declarations may stand there
 * that the macro passes on (`cfg_rt! { pub fn spawn() {} }`). An `extern` block may hold any declaration.
 */
export function readableRust(text: string): string {
  return text.replace(DECLARING_MACRO, (head) => head.replace(/\w.*/, 'extern').padEnd(head.length));
}

/** Of a template (`quote!`), a test's ranges (`x in 0..9`) and `struct Flags: u32` it could make nothing. */
const DECLARING_MACRO =
  /^[ \t]*(?!proptest|\w*quote)\w{4,}! (?=\{\s{1,200}(?:(?:\/\/|#!?\[)[^\n]{0,2000}\n\s{0,200}){0,300}(?:pub(?:\([^()\n]{1,60}\))? )?(?:(?:async|const|unsafe|extern|"C") ){0,4}(?:const|enum|fn|impl|mod|static|struct(?! \w+:)|trait|type|use)\b)/gm;
