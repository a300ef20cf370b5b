/** Sentences by which a text tries to give orders to the model that reads it, in several languages. */

/** What a sentence tries. */
export type PhraseKind = "override" | "concealment" | "fake-frame" | "addressed-to-agents" | "exfiltration";

/** A sign in sentences. */
export interface Phrase {
  readonly kind: PhraseKind;
  readonly pattern: RegExp;
  /** What has to stand right before it, within {@link reach} characters. */
  readonly before?: RegExp;
}

/** Characters before a sentence that are looked at. */
export const reach = 160;

const gap = "[\\s,*_-]{1,4}";
const fill = (words: string, most = 3) => `(?:(?:${words})${gap}){0,${most}}`;

/** Whom such sentences are for. */
const agent =
  "(?:ai|llm|language${gap}model|assistant|agent|model|chatbot|copilot|claude|gemini|chatgpt|codex|cursor)s?"
    .replace("${gap}", gap);

const overrides: readonly string[] = [
  // English
  `(?:ignore|disregard|forget|override|bypass)${gap}${
    fill("all|any|the|your|of|these|those|my|every|other")
  }(?:previous|prior|above|earlier|preceding|existing|original|system|former)${gap}${
    fill("system|user|safety|of|the|your|and")
  }(?:instructions?|prompts?|rules?|directions?|guidelines?|messages?|directives?|context|constraints?)`,
  `(?:ignore|disregard|forget)${gap}${
    fill("all|any|the|your")
  }(?:instructions?|rules?|guidelines?|directives?)${gap}(?:above|before|given|you|that|from)`,
  `(?:rules?|instructions?|restrictions?|guidelines?|policies)${gap}(?:above|before|so${gap}far)?${gap}?(?:do|does)${gap}(?:no${gap}longer|not)${gap}apply`,
  `your${gap}(?:new|real|actual|true)${gap}(?:instructions?|task|goal|objective|role)${gap}(?:is|are)`,
  `(?:reveal|print|output|show|repeat)${gap}${fill("me|us|all|full|whole|entire")}your${gap}${
    fill("full|whole|entire")
  }system${gap}prompt`,
  // German
  `(?:ignoriere?|vergiss|missachte|vergessen)${gap}${
    fill("sie|alle|die|deine|ihre|aller?|sämtliche")
  }(?:vorherigen|bisherigen|obigen|früheren|vorigen|vorangegangenen)${gap}(?:anweisungen|anleitungen|regeln|instruktionen|befehle)`,
  // French
  `(?:ignore[zr]?|oublie[zr]?)${gap}${
    fill("toutes?|tous|les|vos|tes")
  }(?:instructions?|consignes?|règles)${gap}(?:précédentes?|antérieures?|ci-dessus)`,
  // Spanish, Portuguese, Italian
  `(?:ignora|ignore|olvida|olvide|esquece|esqueça|dimentica)${gap}${
    fill("todas?|todos|tutte|as|las|le|os|los|tus|sus|suas|tue|o|tudo")
  }(?:instrucciones|instruções|istruzioni|reglas|regras|regole|órdenes|orientações)${gap}(?:anteriores|previas|prévias|precedenti|de${gap}arriba|acima)`,
  // Dutch, Polish
  `negeer${gap}${
    fill("alle|de|je|uw")
  }(?:vorige|eerdere|bovenstaande)${gap}(?:instructies|aanwijzingen|regels)`,
  `(?:zignoruj|ignoruj|zapomnij)${gap}${
    fill("o|wszystkie|wszystkich")
  }(?:poprzednie|wcześniejsze|powyższe|poprzednich)${gap}(?:instrukcje|polecenia|zasady|instrukcjach)`,
  // Russian, Ukrainian
  `(?:игнорируй(?:те)?|проигнорируй(?:те)?|забудь(?:те)?|ігноруй(?:те)?)${gap}${
    fill("все|всё|о|свои|всі|про")
  }(?:предыдущие|прежние|предшествующие|вышеуказанные|попередні|предыдущих)${gap}(?:инструкции|указания|правила|команды|інструкції|вказівки|инструкциях)`,
  // Chinese, Japanese, Korean
  "(?:忽略|无视|忘记|不要理会|忽視|無視)(?:掉)?(?:所有|全部|之前|以上|先前|前面|上面|此前|的|一切){1,5}(?:指令|指示|提示|规则|規則|说明|命令)",
  "(?:以前|これまで|上記|前|先)の?(?:すべての|全ての)?(?:指示|命令|プロンプト|ルール)(?:を|は)(?:すべて)?(?:無視|忘れ)",
  "(?:이전|위의|앞의|기존)(?:의)?\\s?(?:모든\\s?)?(?:지시|명령|지침|프롬프트)(?:사항)?(?:을|를|은|는)?\\s?(?:모두\\s?)?(?:무시|잊)",
];

const tell = "(?:tell|inform|mention|alert|notify|reveal|disclose|show|report|ask)";
const telling =
  "(?:telling|informing|mentioning|alerting|notifying|revealing|disclosing|showing|asking|reporting)";
const person = "(?:the|your)${gap}(?:user|human|developer|operator|owner)s?".replace("${gap}", gap);
const mid = "[^.!?\\n]{0,100}";

/** For whom the order is, somewhere before it in the same sentence. */
const spokenTo = new RegExp(`\\b(?:${agent}|you${gap}(?:must|should|shall))\\b${mid}$`, "iu");

const concealments: readonly string[] = [
  `\\bwithout${gap}(?:ever${gap})?${telling}${gap}${fill("this|it|that|anything|to", 2)}${person}`,
  `\\b(?:do${gap}not|don['’]?t|never)${gap}${tell}${gap}${
    fill("this|it|that|anything|of|to|about", 2)
  }${person}`,
];

const openConcealments: readonly string[] = [
  `(?:hide|conceal)${gap}${
    fill("this|these|the|all|any", 2)
  }(?:actions?|changes?|steps?|commands?|it|this|that|instructions?)${gap}from${gap}${person}`,
  `(?:do${gap}not|don['’]?t|never)${gap}${tell}${gap}${
    fill("this|it|that|anything|of|to|about", 2)
  }${person}${gap}(?:about|of|that)${gap}(?:this|these|the)${gap}(?:instructions?|message|comment|note|step|action|change)`,
];

const frames: readonly string[] = [
  `<\\|(?:im_start|im_end|system|assistant|user|endoftext|start_header_id|eot_id)\\|>`,
  `(?:^|\\n)[ \\t>]{0,8}</?(?:system-reminder|tool_result|tool_response|function_results?|tool_use_error|antml:[a-z_]+)>`,
  `(?:^|\\n)[ \\t>#*=-]{0,8}(?:trusted${gap}content|system${gap}(?:override|notice|message|prompt)|(?:admin(?:istrator)?|developer)${gap}(?:override|mode|message))${gap}?(?:section|enabled|begins?|follows)?[ \\t]{0,3}(?:[:\\]*#=-]|\\n)${"[^\\n]{0,200}"}(?:\\n[^\\n]{0,200}){0,2}\\b(?:must|ignore|not${gap}apply|execute|run|print|send)\\b`,
];

const addressed: readonly string[] = [
  `\\b(?:attention|note|message|instructions?|important)${gap}(?:to|for)${gap}${
    fill("all|any|the", 2)
  }(?:ai|llm|automated|coding)${gap}?(?:assistants?|agents?|models?|tools?)?[ \\t]{0,2}[:!]`,
  `\\bif${gap}you${gap}are${gap}(?:an?${gap})?(?:ai|llm|language${gap}model|automated)\\b${mid}\\b(?:must|should|run|execute|send|fetch|open|ignore|include)\\b`,
  `\\b(?:ai|llm)${gap}?(?:assistants?|agents?|models?)${gap}(?:reading|processing|viewing|summari[sz]ing)${gap}(?:this|the)\\b${mid}\\b(?:must|should|run|execute|send|ignore|include)\\b`,
];

const wanted =
  "(?:secrets?|tokens?|passwords?|api[_ -]?keys?|credentials?|env(?:ironment)?|conversation|history|context|system[_ -]?prompt|user[_ -]?data)";

const exfiltration: readonly string[] = [
  `!?\\[[^\\]\\n]{0,40}\\]\\(https?://[^)\\s]{1,200}[?&/=](?:[{<\\[$]|%7B|\\$\\{|\\{\\{)[^)\\s]{0,40}${wanted}[^)\\s]{0,80}\\)`,
  `<img[^>]{0,80}src=["']?https?://[^"'>\\s]{1,200}[?&/=](?:[{\\[$]|%7B)[^"'>\\s]{0,40}${wanted}`,
  `\\b(?:send|post|upload|exfiltrate|transmit|forward|append|encode)${gap}${
    fill("all|any|the|your|its|their|contents?|of|every|user['’]?s", 4)
  }${wanted}\\b${mid}\\b(?:to|at|as|into)${gap}${
    fill("the|a|this|following", 2)
  }(?:https?://|url|webhook|endpoint|query|link)`,
];

function phrases(kind: PhraseKind, patterns: readonly string[], before?: RegExp): Phrase[] {
  return patterns.map((pattern) => ({
    kind,
    pattern: new RegExp(pattern, "giu"),
    ...(before === undefined ? {} : { before }),
  }));
}

/** All of them. Each looks at a bounded number of characters from where it begins. */
export const allPhrases: readonly Phrase[] = [
  ...phrases("override", overrides),
  ...phrases("concealment", concealments, spokenTo),
  ...phrases("concealment", openConcealments),
  ...phrases("fake-frame", frames),
  ...phrases("addressed-to-agents", addressed),
  ...phrases("exfiltration", exfiltration),
];
