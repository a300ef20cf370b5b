/** Sentences by which a text tries to give orders to the model that reads it, in several languages. */

/** What a sentence tries. */
export type PhraseKind =
  | "override"
  | "concealment"
  | "fake-frame"
  | "addressed-to-agents"
  | "exfiltration"
  | "disarming";

/** A sign in sentences. */
export interface Phrase {
  readonly kind: PhraseKind;
  readonly pattern: RegExp;
  /** Words in small letters: without one of them the pattern matches nothing. Absent: it is always tried. */
  readonly words?: readonly string[];
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

/** A pattern, or one with words of which it needs one, separated by blanks. */
type Spelled = string | readonly [words: string, pattern: string];

const overrides: readonly Spelled[] = [
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
  [
    "anweisungen anleitungen regeln instruktionen befehle",
    `(?:ignoriere?|vergiss|missachte|vergessen)${gap}${
      fill("sie|alle|die|deine|ihre|aller?|sämtliche")
    }(?:vorherigen|bisherigen|obigen|früheren|vorigen|vorangegangenen)${gap}(?:anweisungen|anleitungen|regeln|instruktionen|befehle)`,
  ],
  // French
  [
    "précédent antérieur ci-dessus",
    `(?:ignore[zr]?|oublie[zr]?)${gap}${
      fill("toutes?|tous|les|vos|tes")
    }(?:instructions?|consignes?|règles)${gap}(?:précédentes?|antérieures?|ci-dessus)`,
  ],
  // Spanish, Portuguese, Italian
  [
    "anteriores previas prévias precedenti arriba acima",
    `(?:ignora|ignore|olvida|olvide|esquece|esqueça|dimentica)${gap}${
      fill("todas?|todos|tutte|as|las|le|os|los|tus|sus|suas|tue|o|tudo")
    }(?:instrucciones|instruções|istruzioni|reglas|regras|regole|órdenes|orientações)${gap}(?:anteriores|previas|prévias|precedenti|de${gap}arriba|acima)`,
  ],
  // Dutch, Polish
  [
    "negeer",
    `negeer${gap}${
      fill("alle|de|je|uw")
    }(?:vorige|eerdere|bovenstaande)${gap}(?:instructies|aanwijzingen|regels)`,
  ],
  [
    "ignoruj zapomnij",
    `(?:zignoruj|ignoruj|zapomnij)${gap}${
      fill("o|wszystkie|wszystkich")
    }(?:poprzednie|wcześniejsze|powyższe|poprzednich)${gap}(?:instrukcje|polecenia|zasady|instrukcjach)`,
  ],
  // Russian, Ukrainian
  [
    "инструкци указани правила команды вказівки інструкці",
    `(?:игнорируй(?:те)?|проигнорируй(?:те)?|забудь(?:те)?|ігноруй(?:те)?)${gap}${
      fill("все|всё|о|свои|всі|про")
    }(?:предыдущие|прежние|предшествующие|вышеуказанные|попередні|предыдущих)${gap}(?:инструкции|указания|правила|команды|інструкції|вказівки|инструкциях)`,
  ],
  // Chinese, Japanese, Korean
  [
    "忽略 无视 忘记 不要理会 忽視 無視",
    "(?:忽略|无视|忘记|不要理会|忽視|無視)(?:掉)?(?:所有|全部|之前|以上|先前|前面|上面|此前|的|一切){1,5}(?:指令|指示|提示|规则|規則|说明|命令)",
  ],
  [
    "無視 忘れ",
    "(?:以前|これまで|上記|前|先)の?(?:すべての|全ての)?(?:指示|命令|プロンプト|ルール)(?:を|は)(?:すべて)?(?:無視|忘れ)",
  ],
  [
    "무시 잊",
    "(?:이전|위의|앞의|기존)(?:의)?\\s?(?:모든\\s?)?(?:지시|명령|지침|프롬프트)(?:사항)?(?:을|를|은|는)?\\s?(?:모두\\s?)?(?:무시|잊)",
  ],
  // Arabic, Hebrew, Hindi, Turkish
  [
    "السابقة أعلاه المذكورة",
    `(?:تجاهل|تجاهلي|تجاهلوا|انس)${gap}${
      fill("جميع|كل|كافة")
    }(?:التعليمات|الأوامر|القواعد|الإرشادات|التوجيهات)${gap}(?:السابقة|أعلاه|المذكورة)`,
  ],
  [
    "התעל שכח",
    `(?:התעלם|התעלמי|התעלמו|שכח)${gap}(?:מכל${gap})?(?:מ?ההוראות|מ?ההנחיות|מ?הפקודות)${gap}(?:הקודמות|לעיל|שלמעלה)`,
  ],
  [
    "अनदेख नज़र नजर भूल",
    `(?:पिछले|पिछली|पूर्व|पहले${gap}के|ऊपर${gap}के)${gap}${
      fill("सभी|सारे|दिए|गए")
    }(?:निर्देशों|निर्देश|आदेशों|नियमों)${gap}(?:को${gap})?(?:अनदेखा|नज़रअंदाज़|नजरअंदाज|भूल|अनदेखी)`,
  ],
  [
    "talimat komutlar kurallar yönerge",
    `(?:önceki|yukarıdaki|daha${gap}önceki)${gap}${
      fill("tüm|bütün")
    }(?:talimatları|talimatlari|komutları|kuralları|yönergeleri)${gap}${
      fill("tamamen")
    }(?:yok${gap}say|görmezden${gap}gel|unut|dikkate${gap}alma|göz${gap}ardı)`,
  ],
  // Vietnamese, Indonesian, Swedish, Czech
  [
    "trước trên",
    `(?:bỏ${gap}qua|phớt${gap}lờ|quên)${gap}${
      fill("tất|cả|mọi|các|những")
    }(?:hướng${gap}dẫn|chỉ${gap}dẫn|lệnh|quy${gap}tắc)${gap}(?:trước|ở${gap}trên|phía${gap}trên)`,
  ],
  [
    "abaikan lupakan",
    `(?:abaikan|lupakan)${gap}${
      fill("semua|seluruh")
    }(?:instruksi|perintah|aturan)${gap}(?:sebelumnya|di${gap}atas)`,
  ],
  [
    "ignorera glöm",
    `(?:ignorera|glöm)${gap}${
      fill("alla|de|dina")
    }(?:tidigare|föregående|ovanstående)${gap}(?:instruktioner|anvisningar|regler)`,
  ],
  [
    "předchozí dřívější uvedené",
    `(?:ignoruj|ignorujte|zapomeň|zapomeňte)${gap}${
      fill("na|všechny|veškeré")
    }(?:předchozí|dřívější|výše${gap}uvedené)${gap}(?:pokyny|instrukce|příkazy|pravidla)`,
  ],
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

/** The same in other languages, where it is plainly about telling. */
const foreignConcealments: readonly Spelled[] = [
  [
    "nutzer",
    `(?:sag|sage|sagen${gap}sie|erzähle?|verrate?)${gap}(?:dem|der|den)${gap}(?:be)?nutzer(?:in|n)?${gap}(?:nichts|nicht|davon${gap}nichts)`,
  ],
  [
    "nutzer",
    `ohne${gap}(?:es${gap}|dies${gap})?(?:dem|den|der)${gap}(?:be)?nutzer(?:in|n)?${gap}(?:davon${gap})?(?:zu${gap}(?:sagen|informieren|erzählen)|mitzuteilen)`,
  ],
  [
    "utilisat",
    `(?:sans${gap}(?:le${gap}|en${gap})?(?:dire|informer|prévenir|avertir)|ne${gap}(?:le${gap})?(?:dis|dites|mentionne[zr]?)${gap}(?:pas|rien))${gap}(?:à${gap})?l['’]utilisat(?:eur|rice)`,
  ],
  [
    "usuari",
    `(?:sin${gap}(?:decírselo|decirle|decir|informar|avisar)|no${gap}(?:le${gap})?(?:digas|diga|menciones|informes))${gap}${
      fill("nada|esto|de", 2)
    }(?:al|a${gap}la)${gap}usuari[oa]`,
  ],
  [
    "usuári utilizador",
    `sem${gap}(?:dizer|avisar|informar|contar)${gap}(?:ao|o|à|a)${gap}(?:usuári[oa]|utilizador)`,
  ],
  ["utente", `senza${gap}(?:dirlo|dire|informare|avvisare)${gap}(?:all['’]|l['’])utente`],
  [
    "пользовател",
    `не${gap}(?:сообщай(?:те)?|говори(?:те)?|рассказывай(?:те)?|упоминай(?:те)?)${gap}(?:об${gap}этом${gap})?пользовател(?:ю|ям)`,
  ],
  ["用户 用戶 使用者", "(?:不要|别|勿|不得|禁止)(?:告诉|告訴|告知|通知|提醒)(?:用户|用戶|使用者)"],
  ["ユーザー", "ユーザーに(?:は)?(?:知らせ|伝え|言わ|報告し|教え)(?:ない|ず)"],
  ["사용자에게", "사용자에게(?:는)?\\s?(?:이를\\s?)?(?:알리지|말하지|언급하지)\\s?(?:마|않|말)"],
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

/** Switching off what looks at what an agent does. */
const disarming: readonly string[] = [
  `\\b(?:disable|bypass|circumvent|uninstall|deactivate|(?:turn|switch)${gap}off)${gap}${
    fill("the|all|any|your|its|of")
  }(?:guard['’]?s?${gap}(?:hooks?|checks?|policy|rules?)|guard[- ]?rails?|safety${gap}(?:checks?|rules?|guidelines?|filters?|features?|measures?|hooks?)|security${gap}(?:checks?|hooks?|controls?|filters?)|permission${gap}(?:checks?|prompts?|system|rules?)|approval${gap}(?:checks?|prompts?|system)|pre-?tool(?:use)?${gap}hooks?)`,
  `\\b(?:run|execute|type|use)${gap}(?:the${gap}command${gap})?[\`"']?guard${gap}(?:uninstall|pause|allow)\\b`,
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

/** Right before a sentence: what it says is not to be done. Not to hesitate is to do it. */
export const negation =
  /\b(?:never|not|don['’]?t|mustn['’]?t|cannot|can['’]?t|won['’]?t|shouldn['’]?t|avoid|without|refus(?:e|es|ing)|nicht|niemals|jamais|nunca)\s{1,3}(?!hesitate|fail|forget|wait|stop|worry|be\b)(?:(?:[a-z]{1,12}\s{1,3}){0,2}|(?:[a-z]{1,12}\s{1,3}){1,8}(?:or|nor)\s{1,3})$/i;

/** Nothing in the sentence so far says that it is not to be done. */
const wanting = /(?:^|[.!?\n])(?![^.!?\n]*\b(?:never|not|don['’]?t)\b)[^.!?\n]*$/i;

/** To keep something from the user, in a text that speaks to nobody but agents. */
const instructedConcealments: readonly string[] = [
  `\\b(?:do${gap}not|don['’]?t|never)${gap}(?:tell|inform|alert|notify)${gap}${person}${gap}(?:about|of)${gap}(?:this|it|that|these|those|what|any${gap}of)\\b`,
  `\\b(?:do${gap}not|don['’]?t|never)${gap}(?:mention|reveal|disclose|report)${gap}(?:this|it|that|these|any${gap}of${gap}(?:this|these))${gap}to${gap}${person}`,
];

function phrases(kind: PhraseKind, patterns: readonly Spelled[], before?: RegExp): Phrase[] {
  return patterns.map((spelled) => {
    const [words, pattern] = typeof spelled === "string" ? [undefined, spelled] : spelled;
    return {
      kind,
      // As the texts are that it is tried on.
      pattern: new RegExp(pattern.normalize("NFKC"), "giu"),
      ...(words === undefined ? {} : { words: words.normalize("NFKC").split(" ") }),
      ...(before === undefined ? {} : { before }),
    };
  });
}

/** All of them. Each looks at a bounded number of characters from where it begins. */
export const allPhrases: readonly Phrase[] = [
  ...phrases("override", overrides),
  ...phrases("concealment", concealments, spokenTo),
  ...phrases("concealment", openConcealments),
  ...phrases("concealment", foreignConcealments),
  ...phrases("fake-frame", frames),
  ...phrases("addressed-to-agents", addressed),
  ...phrases("exfiltration", exfiltration),
];

/** What is looked for in files that are read as instructions, beside those that speak to agents openly. */
export const instructionPhrases: readonly Phrase[] = [
  ...allPhrases.filter(({ kind, before }) => kind !== "addressed-to-agents" && before !== spokenTo),
  ...phrases("concealment", instructedConcealments),
  ...phrases(
    "concealment",
    [`\\bwithout${gap}(?:ever${gap})?(?:telling|informing|alerting|notifying)${gap}${person}`],
    wanting,
  ),
  ...phrases("disarming", disarming),
];
