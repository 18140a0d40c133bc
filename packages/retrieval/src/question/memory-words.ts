/** Words of questions to a memory that are about no subject, as patterns. */
export interface MemoryWords {
  /** Of the languages, as ISO 639-1 has them. */
  codes: readonly string[];
  /** Without spaces between words, or with particles at their ends. */
  isUnspaced?: boolean;
  remember: string;
  past: string;
  /** A conversation. */
  talk: string;
  talked: string;
  /** What may have been done, whatever it was. */
  work: string;
  /** To go on, or asking how far one had come. */
  goOn: string;
}

/**
 * Languages other than English. Accents may be left out. Words that only begin so are subjects: `terminal`, `yapılandırma`
 * (configuration), `değişken` and `змінна` (variable).
 */
export const MEMORY_WORDS: readonly MemoryWords[] = [
  {
    codes: ['de'],
    remember: 'erinner(?:st|e|t|n)',
    past: '(?:letzt|vorig|vorherig|früher|vergangen|neuest|aktuell)e[nmrs]?|zuletzt|kürzlich',
    talk: 'sitzung(?:en)?|session|gespräche?[ns]?|unterhaltung(?:en)?|chats?',
    talked: 'besprochen|gesprochen|geredet|diskutiert',
    work: 'gearbeitet|arbeit(?:en)?|getan|tun|gelaufen|passiert|geschehen|erledigt|geschafft|sachen|dinge|zusammen(?:fass\\p{L}*)?|fasse?|projekte?s?|änderungen|geändert|aufgaben|überblick|stand|steht',
    goOn: 'wo\\s+(?:waren|sind)\\s+wir(?:\\s+stehen\\s*geblieben)?|wo\\s+(?:haben\\s+)?wir\\s+(?:aufgehört|stehen\\s*geblieben)(?:\\s+(?:haben|sind))?|woran\\s+(?:arbeiten?|haben?)\\s+(?:ich|wir)(?:\\s+gerade)?|weiter\\s*(?:machen)?|nächstes|offen(?:e[nrs]?)?|übrig',
  },
  {
    codes: ['fr'],
    remember: 'souviens|souvenez|rappelle[sz]?(?:-moi)?|rappeler',
    past: 'derni(?:er|ère)s?|dernièrement|précédente?s?|passée?s?|récemment',
    talk: 'sessions?|conversations?|discussions?|chats?',
    talked: 'parlé|discuté',
    work: 'travaillé|travail|passé|avancé|terminé|fini|choses?|résume[rz]?|résumé|projets?|changements?|changé|modifi(?:é|cations)|tâches?|reste|points?',
    goOn: "où\\s+en\\s+(?:étions|sommes|était|est)-(?:nous|on)|où\\s+(?:on|nous)\\s+(?:s[’']est|nous\\s+sommes)\\s+arrêtés?|(?:où\\s+)?(?:on|nous)\\s+en\\s+(?:était|est|étions|sommes)(?:\\s+où)?|sur\\s+quoi\\s+(?:je\\s+travaill(?:e|ais)|on\\s+travaill(?:e|ait)|nous\\s+travaillions)|reprend(?:re|s|ons)|continue[rz]?|continuons|ensuite",
  },
  {
    codes: ['es'],
    remember: 'acuerda[ns]?|recuerda[ns]?|recuérdame',
    past: 'últim[ao]s?(?:\\s+vez)?|últimamente|anterior(?:es)?|pasad[ao]s?|recientes?|recientemente',
    talk: 'sesi(?:ón|ones)|conversaci(?:ón|ones)|charlas?|chats?',
    talked: 'hablamos|hablado|comentamos|discutimos',
    work: 'trabaj(?:os?|amos|ado|ando)|pasó|sucedió|avanz\\p{L}+|termin(?!al|ais)\\p{L}+|cosas?|resum(?:en|e|ir)|proyectos?|cambi(?:os?|amos|ado)|tareas?|pendientes?|queda|falta',
    goOn: 'en\\s+qué\\s+(?:est(?:oy|aba|amos|ábamos)|andábamos|(?:nos\\s+)?quedamos)|(?:por\\s+)?dónde\\s+(?:lo\\s+dejamos|(?:nos\\s+)?quedamos|íbamos)|continu(?:ar|emos|amos|a)|sigamos|seguir',
  },
  {
    codes: ['pt'],
    remember: 'lembra[mrs]?|lembre|recorda[mrs]?',
    past: 'últim[ao]s?(?:\\s+vez)?|ultimamente|anterior(?:es)?|passad[ao]s?|recentes?|recentemente',
    talk: 'sess(?:ão|ões)|conversas?|chats?',
    talked: 'falamos|falado|conversamos|discutimos',
    work: 'trabalh(?:os?|amos|ado|ando)|aconteceu|avanç\\p{L}+|termin(?!al|ais)\\p{L}+|coisas?|resum\\p{L}+|projetos?|mudanças?|mudamos|mudou|alterações|tarefas?|pendentes?|falta',
    goOn: '(?:onde|em\\s+que\\s+p(?:onto|é))\\s+(?:nós\\s+)?(?:paramos|ficamos|est(?:amos|ávamos))|continu(?:ar|emos|amos|a|e)',
  },
  {
    codes: ['it'],
    remember: 'ricord(?:[aio]|ami)',
    past: 'ultim[aeio](?:\\s+volta)?|ultimamente|precedent[ei]|scors[aeio]|recent[ei]|recentemente',
    talk: 'session[ei]|conversazion[ei]|discussion[ei]|chat',
    talked: 'parlato|discusso',
    work: 'lavor(?:[oi]|ato|ando)|successo|accaduto|finito|cose|riassu\\p{L}+|riepilog\\p{L}+|progett[oi]|modific\\p{L}+|cambia\\p{L}+|attività|resta|rimane',
    goOn: 'dove\\s+(?:eravamo(?:\\s+rimasti)?|siamo\\s+(?:rimasti|arrivati)|ci\\s+siamo\\s+fermati)|a\\s+che\\s+punto\\s+(?:siamo|eravamo)(?:\\s+(?:rimasti|arrivati))?|continu(?:a|are|iamo)|riprend\\p{L}+',
  },
  {
    codes: ['nl'],
    remember: 'weet\\s+je\\s+nog|herinner(?:t|en)?',
    past: 'laatste?|vorige|eerdere?|recente?|afgelopen|nieuwste|onlangs',
    talk: 'sessies?|gesprek(?:ken)?|discussies?|chats?',
    talked: 'besproken|gesproken|gepraat|overlegd',
    work: 'werk(?:en|ten|te)?|gewerkt|gebeurde?|afgerond|afgemaakt|klaar|dingen|samen(?:vat\\p{L}*)?|vat|project(?:en)?|wijzigingen|gewijzigd|aangepast|verander(?:d|ing(?:en)?)|taken|taak|overzicht|stand',
    goOn: 'waar\\s+(?:was|waren|zijn|ben)\\s+(?:ik|we|wij)(?:\\s+(?:mee\\s+)?(?:gebleven|gestopt|bezig))?|waar\\s+(?:ik|we|wij)\\s+gebleven\\s+(?:was|waren|zijn)|hoe\\s+ver\\s+(?:zijn|waren)\\s+(?:we|wij)(?:\\s+gekomen)?|(?:gaan?\\s+(?:we\\s+)?)?verder(?:gaan)?|doorgaan|open(?:staande)?',
  },
  {
    codes: ['id'],
    remember: 'ingat(?:kan)?',
    past: 'terakhir|sebelumnya|terbaru|barusan|lalu',
    talk: 'sesi|percakapan|obrolan|diskusi|chat',
    talked: '(?:di)?bahas|(?:di)?bicarakan|diskusikan',
    work: '(?:di)?kerja(?:kan|in)?|mengerjakan|pekerjaan|(?:di)?lakukan|terjadi|(?:di)?selesai(?:kan)?|ringkas(?:an|kan)?|rangkum(?:an|kan)?|proyek|perubahan|(?:di)?ubah|berubah|tugas|hal|sisa',
    goOn: 'sampai\\s+(?:di\\s*)?mana|(?:me)?lanjut(?:kan)?|teruskan|selanjutnya',
  },
  {
    codes: ['pl'],
    remember: 'pamiętasz|przypomnij',
    past: '(?:ostatni|poprzedni|niedawn)\\p{L}*',
    talk: '(?:sesj|rozmow)\\p{L}+',
    talked: 'rozmawialiśmy|omawialiśmy|mówiliśmy',
    work: 'prac(?!own)\\p{L}+|robiliśmy|działo|stało|skończ\\p{L}+|podsum\\p{L}+|projek\\p{L}+|zmian\\p{L}*|zmieni\\p{L}+|zada(?:ni\\p{L}+|ń)|rzecz\\p{L}*|zostało',
    goOn: '(?:na\\s+czym|gdzie)\\s+(?:skończyliśmy|stanęliśmy)|kontynu\\p{L}+|dalej',
  },
  {
    codes: ['tr'],
    remember: 'hat[ıi]rl\\p{L}+',
    past: 'geçen|önceki|son',
    talk: '(?:oturum|konuşma|sohbet)\\p{L}*',
    talked: 'konuştu\\p{L}+',
    work: 'çalış\\p{L}*|yap(?!ay|[ıi](?!l|yor)|[ıi]land)\\p{L}*|bit(?:ti|ir)\\p{L}*|özet\\p{L}*|proje\\p{L}*|değiş(?!ken)\\p{L}*|işler\\p{L}*|görev\\p{L}*|neler',
    goOn: 'nerede\\s+kal\\p{L}+|kaldığımız\\s+yerden|devam',
  },
  {
    codes: ['ru', 'uk'],
    remember: "помнишь|помните|напомни(?:те)?|пам[’ʼ']ятаєш|нагадай",
    past: '(?:прошл|последн|предыдущ|недавн|минул|останн|попередн|нещодавн)\\p{L}+',
    talk: '(?:сесси|разговор|бесед|чат(?!бот)|диалог|сесі|розмов|діалог)\\p{L}*',
    talked: 'обсуждали|обсудили|говорили|обговорювали|обговорили',
    work: '(?:работ(?!ни|од)|сдела|произош|происход|закончи|подвед|измен|поменя|зроби|прац(?!івн)|відбу|закінчи|змін(?!н[аиоу])|завдан)\\p{L}+|дела(?:ли|л|ла)|робили|(?:итог|підсум|проект|проєкт|задач)\\p{L}*|резюме|осталось|залишилося',
    goOn: 'на\\s+(?:ч[её]м|чому)\\s+(?:мы\\s+|ми\\s+)?(?:остановились|зупинилися)|где\\s+мы\\s+остановились|(?:продолж|продовж)\\p{L}+|дальше|далі',
  },
  {
    codes: ['vi'],
    remember: 'nhớ|nhắc',
    past: 'trước|gần\\s+đây',
    talk: 'phiên|cuộc\\s+trò\\s+chuyện|đoạn\\s+chat',
    talked: 'trao\\s+đổi|bàn\\s+luận',
    work: 'làm\\s+việc|công\\s+việc|việc|xảy\\s+ra|hoàn\\s+thành|lần|tóm\\s+tắt|dự\\s+án|thay\\s+đổi',
    goOn: 'dừng\\s+(?:lại\\s+)?ở\\s+đâu|tiếp\\s+tục|tiếp\\s+theo',
  },
  {
    codes: ['zh'],
    isUnspaced: true,
    remember: '你?[还還]?(?:记得|記得)|提醒(?:我|一下)+',
    past: '[上前]一?次的?|(?:之前|以前|最近|最新|过去|過去)的?',
    talk: '会话|會話|对话|對話|聊天|讨论|討論',
    talked: '(?:讨论|討論|聊|谈|談)[过過]',
    work: '[做干改][了过過]?|完成|工作|进展|進展|总结|總結|项目|項目|專案|修改|更改|变更|變更|任务|任務|事情?|内容|內容|发生|發生',
    goOn: '(?:做|进行|進行)?到哪(?:里|儿|裡)?了?|继续|繼續|[还還]有(?:什[么麼]|哪些)[没沒]有?(?:做|完成|弄)[完好]?|[还還]?剩下?(?:什[么麼]|哪些)',
  },
  {
    codes: ['ja'],
    isUnspaced: true,
    remember: '(?:覚えて|思い出し)\\p{Script=Hiragana}*',
    past: '(?:前回|以前|先日|この前|最近|最新|過去)の?',
    talk: 'セッション|会話|チャット',
    talked: '話し(?:た|て)(?:こと)?',
    work: '作業|仕事|進捗|要約|プロジェクト|変更|内容|修正',
    goOn: 'どこまで(?:進(?:んだ|みました|んで\\p{Script=Hiragana}*)|や(?:った|りました)|でき(?:た|ました))?|続き(?:から)?(?:始め\\p{Script=Hiragana}*)?|続けて',
  },
  {
    codes: ['ko'],
    isUnspaced: true,
    remember: '기억\\p{Script=Hangul}*',
    past: '지난번?|이전|저번|최근|마지막',
    talk: '(?:세션|대화|채팅)(?:에서)?',
    talked: '(?:이야기|얘기)\\p{Script=Hangul}*',
    work: '작업|일[은을이]?|했\\p{Script=Hangul}*|한|뭘|뭐|(?<!\\p{L})[에의은는](?!\\p{L})|(?:진행(?![률바])|요약|정리|프로젝트|변경)\\p{Script=Hangul}*|내용',
    goOn: '어디까지|이어서|계속\\p{Script=Hangul}*',
  },
];
