import { expect, it } from 'vitest';
import { languageOf } from '../src/question/language.js';
import { timesAsked } from '../src/question/times-asked.js';

/** A Wednesday. */
const NOW = new Date(2026, 6, 15, 10, 30).getTime();

/** First and last day of the likeliest time, as `2026-07-29`. */
function daysAsked(query: string): string | undefined {
  const [[span] = []] = timesAsked(query, NOW).times;
  if (span === undefined) return undefined;
  const [first, last] = [span.fromMs, span.beforeMs - 1].map((ms) =>
    new Date(ms).toLocaleDateString('sv-SE'),
  );
  return first === last ? first : `${first!} … ${last!}`;
}

const TODAY = '2026-07-15';
const YESTERDAY = '2026-07-14';
const LAST_WEEK = '2026-07-06 … 2026-07-12';
const THE_NINTH = '2026-07-09';
const THREE_DAYS_AGO = '2026-07-12';
const TWO_WEEKS_AGO = '2026-06-28 … 2026-07-04';
const THE_LAST_THREE_DAYS = '2026-07-12 … 2026-07-15';
const FROM_THE_NINTH = '2026-07-09 … 2026-07-11';

it.each([
  ['Was haben wir gestern am Rad geändert?', YESTERDAY],
  ['Was haben wir vorgestern geändert?', '2026-07-13'],
  ['Datenbank gestern', YESTERDAY],
  ['Fehler letzte Woche', '2026-07-06 … 2026-07-12'],
  ['fout gisteren', YESTERDAY],
  ['vorige week', '2026-07-06 … 2026-07-12'],
  ['testy wczoraj', YESTERDAY],
  ['Kenapa kita mengubah itu kemarin?', YESTERDAY],
  ['Kenapa itu diubah minggu lalu?', LAST_WEEK],
  ['Apa yang diubah 3 hari yang lalu?', THREE_DAYS_AGO],
  ['Apa yang diubah dua minggu yang lalu?', TWO_WEEKS_AGO],
  ['Apa yang kita putuskan pada tanggal 9 Juli 2025?', '2025-07-09'],
  ['Apa yang kita putuskan hari Senin?', '2026-07-13'],
  ['settimana scorsa', '2026-07-06 … 2026-07-12'],
  ['errores ayer', YESTERDAY],
  ['erro ontem', YESTERDAY],
  ['Warum haben wir das in der letzten Woche geändert?', LAST_WEEK],
  ['Warum haben wir das vorige Woche geändert?', LAST_WEEK],
  ['Was war vor 3 Tagen mit dem Rad?', THREE_DAYS_AGO],
  ['Was war vor 1 Stunde mit dem Rad?', '2026-07-15'],
  ['Was haben wir am 9. Juli 2025 beschlossen?', '2025-07-09'],
  ['Was haben wir im Juni beschlossen?', '2026-06-01 … 2026-06-30'],
  ['Was haben wir am Montag beschlossen?', '2026-07-13'],
  ['Was haben wir Ende Juni beschlossen?', '2026-06-20 … 2026-06-30'],
  ['Was haben wir Anfang Juni 2025 beschlossen?', '2025-06-01 … 2025-06-10'],
  ['Qu’avons-nous décidé fin juin ?', '2026-06-20 … 2026-06-30'],
  ['Qu’avons-nous décidé à la mi-juin ?', '2026-06-10 … 2026-06-20'],
  ['Qu’avons-nous décidé à la fin d’avril ?', '2026-04-20 … 2026-04-30'],
  ['¿Qué decidimos a finales de junio?', '2026-06-20 … 2026-06-30'],
  ['O que decidimos no início de junho?', '2026-06-01 … 2026-06-10'],
  ['Cosa abbiamo deciso a metà giugno?', '2026-06-10 … 2026-06-20'],
  ['Wat hebben we eind juni 2026 veranderd?', '2026-06-20 … 2026-06-30'],
  ['Was wurde seit dem 9. Juli geändert?', '2026-07-09 … 2026-07-15'],
  ['Was wurde vom 9. Juli bis zum 11. Juli geändert?', FROM_THE_NINTH],
  ['Qu’est-ce qu’on a changé hier ?', YESTERDAY],
  ['Qu’avons-nous décidé la semaine dernière ?', LAST_WEEK],
  ['Qu’avons-nous décidé il y a 3 jours ?', THREE_DAYS_AGO],
  ['Pourquoi avons-nous fait ça le 9 juil. 2025 ?', '2025-07-09'],
  ['¿Qué cambiamos la semana pasada en el molino?', LAST_WEEK],
  ['¿Qué decidimos el 9 de julio?', THE_NINTH],
  ['resumen de ayer', YESTERDAY],
  ['O que mudou na semana passada?', LAST_WEEK],
  ['O que decidimos em 9 de julho de 2025?', '2025-07-09'],
  ['Cosa abbiamo deciso la scorsa settimana?', LAST_WEEK],
  ['Che cosa abbiamo deciso 3 giorni fa?', THREE_DAYS_AGO],
  ['Wat hebben we vorige week veranderd?', LAST_WEEK],
  ['Co zmieniliśmy w zeszłym tygodniu?', LAST_WEEK],
  ['Co zmieniliśmy w czerwcu?', '2026-06-01 … 2026-06-30'],
  ['Geçen hafta neyi değiştirdik?', LAST_WEEK],
  ['Что мы решили 9 июля?', THE_NINTH],
  ['Что мы решили в июне?', '2026-06-01 … 2026-06-30'],
  ['Что мы решили 3 дня назад?', THREE_DAYS_AGO],
  ['Что мы решили в среду?', '2026-07-08'],
  ['Що ми вирішили вчора?', YESTERDAY],
  ['Hôm qua chúng ta đã đổi gì?', YESTERDAY],
  ['Chúng ta đã đổi gì vào 9 tháng 12, 2025?', '2025-12-09'],
  ['ماذا غيرنا أمس؟', YESTERDAY],
  ['מה שינינו אתמול?', YESTERDAY],
  ['हमने कल क्या बदला?', YESTERDAY],
  ['上周我们改了什么', LAST_WEEK],
  ['2025年11月9日我们决定了什么', '2025-11-09'],
  ['3天前的讨论', THREE_DAYS_AGO],
  ['先週の変更', LAST_WEEK],
  ['7月9日に何を決めましたか', THE_NINTH],
  ['어제 뭘 바꿨지?', YESTERDAY],
  ['7월 9일에 무엇을 결정했나요', THE_NINTH],
  ['Was war vor zwei Wochen mit dem Rad?', TWO_WEEKS_AGO],
  ['Was haben wir in den letzten drei Tagen geändert?', THE_LAST_THREE_DAYS],
  ['Was haben wir in den letzten 90 Minuten geändert?', TODAY],
  ['¿Qué cambiamos en las últimas 3 horas?', TODAY],
  ['что мы изменили за последние 3 часа?', TODAY],
  ['Was haben wir in der Woche vom 6. Juli 2026 geändert?', LAST_WEEK],
  ['Qu’avons-nous changé dans la semaine du 7 juillet 2026 ?', LAST_WEEK],
  ['Qu’avons-nous changé il y a deux semaines ?', TWO_WEEKS_AGO],
  ['Qu’avons-nous changé ces 3 derniers jours ?', THE_LAST_THREE_DAYS],
  ['¿Qué cambiamos en los últimos tres días?', THE_LAST_THREE_DAYS],
  ['O que mudamos há duas semanas?', TWO_WEEKS_AGO],
  ['Cosa abbiamo deciso due settimane fa?', TWO_WEEKS_AGO],
  ['Co zmieniliśmy tydzień temu?', LAST_WEEK],
  ['Что мы решили две недели назад?', TWO_WEEKS_AGO],
  ['Що ми вирішили п’ять днів тому?', '2026-07-10'],
  ['Chúng ta đã đổi gì hai tuần trước?', TWO_WEEKS_AGO],
  ['最近三天我们改了什么', THE_LAST_THREE_DAYS],
  ['过去两周我们改了什么', '2026-07-01 … 2026-07-15'],
  ['上个星期我们改了什么', LAST_WEEK],
  ['이틀 전에 뭘 바꿨지?', '2026-07-13'],
  ['Hôm qua chúng ta đã đổi gì?'.normalize('NFD'), YESTERDAY],
  ['Что мы решили в мае?', '2026-05-01 … 2026-05-31'],
  ['Что мы решили 9 мая?', '2026-05-09'],
  ['Что мы решили 9 июл. 2025?', '2025-07-09'],
  ['Co zmieniliśmy 9 lis 2025?', '2025-11-09'],
  ['Co zmieniliśmy w maju?', '2026-05-01 … 2026-05-31'],
  ["Aralık'ta neyi değiştirdik?", '2025-12-01 … 2025-12-31'],
  ['Chúng ta đã đổi gì hôm thứ hai?', '2026-07-13'],
  ['周一我们改了什么', '2026-07-13'],
  ['한 주 전에 뭘 바꿨지?', '2026-07-05 … 2026-07-11'],
  ['Was haben wir zwischen dem 9. Juli und dem 11. Juli geändert?', FROM_THE_NINTH],
  ['Qu’avons-nous changé entre le 9 juillet et le 11 juillet ?', FROM_THE_NINTH],
  ['¿Qué cambiamos entre el 9 de julio y el 11 de julio?', FROM_THE_NINTH],
  ['O que mudamos entre 9 de julho e 11 de julho?', FROM_THE_NINTH],
  ['Cosa abbiamo deciso tra il 9 luglio e l’11 luglio?', FROM_THE_NINTH],
  ['Wat hebben we tussen 9 juli en 11 juli veranderd?', FROM_THE_NINTH],
  ['Co zmieniliśmy między 9 lipca a 11 lipca?', FROM_THE_NINTH],
  ['Что мы решили между 9 июля и 11 июля?', FROM_THE_NINTH],
  ['Що ми вирішили між 9 липня та 11 липня?', FROM_THE_NINTH],
  ['Co zmieniliśmy miesiąc temu?', '2026-06-01 … 2026-06-30'],
  ['Что мы решили месяц назад?', '2026-06-01 … 2026-06-30'],
  ['Що ми вирішили місяць тому?', '2026-06-01 … 2026-06-30'],
  ['Co zmieniliśmy w ostatnich trzech dniach?', THE_LAST_THREE_DAYS],
  ['Co zmieniliśmy w ciągu ostatnich 3 dni?', THE_LAST_THREE_DAYS],
])('"%s" asks for %s', (query, days) => {
  expect(daysAsked(query)).toBe(days);
});

it.each([
  ['that is "yesterday" in another one', 'Hier ist der Cache, was ist damit?'],
  ['that is a month in another one', 'the mars rover of the mai theme'],
  ['in a larger number', '十一天前我们改了什么, 二十五天前'],
  ['in a number of three digits', '100天前我们改了什么'],
  ['that is "have"', 'Dlaczego testy mają dostęp do bazy, czy to jest błąd? Kto ma hasło?'],
  ['that is seven, and a month for short', 'Pourquoi est-ce que sept tests échouent ?'],
  ['that is an interval', 'Bu aralık için ne yaptık?'],
  ['that is an environment', 'Как мы настроили среду и переменные среды в этой среде?'],
  ['that is "second"', 'Tại sao bước thứ hai không được làm?'],
  ['in how often something is', '为什么一周一次的任务没有运行, 每周一的呢'],
  ['in a calendar of weeks', '周日历视图怎么实现的'],
  ['that begins another one', '7일 전체 통계는 어떻게 하나요'],
  ['that is what was done', '우리가 최근 한 일이 뭐야?'],
  ['within another word', 'Was ist eine Gesternliste oder ein montags-skript?'],
])('a word %s is no time', (_, query) => {
  expect(timesAsked(query, NOW)).toEqual({ times: [], rest: query });
});

it('signs of icons, which stand for times while a question is read, are none', () => {
  expect(timesAsked('from yesterday to \u{100001}', NOW).rest.trim()).toBe('from   to');
  expect(daysAsked('from yesterday to \u{100001}')).toBe(YESTERDAY);
});

it.each([
  ['колесо падает', ['ru', 'uk']],
  ['水車 故障', ['zh', 'ja']],
  ['물레방아 昨日', ['zh', 'ja', 'ko']],
  ['naïve mill wheel', ['fr', 'nl']],
  ['İlk wheel', ['tr']],
  ['mølle brød', []],
  ['mill wheel', []],
])('without any stop word, letters tell what languages may be meant: %s', (query, codes) => {
  expect(languageOf(query).maybe).toEqual(codes);
});
