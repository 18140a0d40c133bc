import { foldedLetters } from './folded-letters.js';

/** Words that sentences are made of and that say nothing about their subject. */
const ENGLISH = `a about am an and any are as at be because been being but by can could did do does doing for from had has
  have having he her here him his how i if in into is it its itself just me my no nor not of on or our out over she
  should so some such than that the their them then there these they this those through to too us very was we were what
  when where which while who whom why will with would you your s t d ll m re ve don doesn didn isn wasn weren hasn haven
  won tell please show find give let get got us whose someone anyone somebody anybody ever myself regarding concerning
  usually really perhaps`;

/**
 * Those of other languages, by ISO 639-1 code: they count only in a text of that language, as some are English words
 * (`die`, `comment`). Of scripts that are searched by pairs of letters, pairs.
 */
const OTHERS = {
  de: `koennen koennte muessen fuer dafuer ueber darueber wuerde wuerden aber alle allem allen aller alles als also am an andere anderen auch auf aus bei beim bin bis bist bitte da dabei
  dafür damit dann daran darauf daraus darin darüber das dass dein deine dem den denn der deren des dessen dich die
  dies diese diesem diesen dieser dieses dir doch dort du durch ein eine einem einen einer eines er es etwas euch euer
  für gab ganz gegen gemacht gibt habe haben habt hast hat hatte hatten hattest hier hin hinter ich ihm ihn ihnen ihr
  ihre ihrem ihren ihrer im in ins ist ja jede jedem jeden jeder jedes jetzt kann kannst kein keine keinem keinen
  keiner können könnte könnten machen macht man mehr mein meine meinem meinen meiner mich mir mit muss müssen musste
  nach nein nicht nichts noch nun nur ob oder ohne schon sehr sein seine seinem seinen seiner seit sich sie sind so
  soll sollen sollte sollten sondern sonst über um und uns unser unsere unserem unseren unserer unter vom von vor
  wann war waren warst warum was weil welche welchem welchen welcher welches wem wen wenn wer werde werden weshalb
  wessen wie wieder wieso will wir wird wo wofür woher wohin wollen womit woran worin worüber wozu wurde wurden würde
  würden zu zum zur zwischen zeig zeige
  gestern heute letzte letzten letzter letztes vorgestern vorige vorigen`,
  fr: `a afin ai aie ainsi alors après as au aucun aucune aussi autre autres aux avaient avais avait avant avec avez avions
  avoir avons ayant beaucoup bien c ça car ce ceci cela celle celles celui ces cet cette ceux chaque chez comme comment
  d dans de déjà depuis des dessous dessus dès doit doivent donc dont du elle elles en encore entre es est et étaient étais était
  étant été êtes être eu eux faire fais faisait fait faites faut fera fois font il ils j je jusque l la laquelle le
  lequel les lesquels leur leurs lors lorsque lui là m ma mais me même mes moi moins mon n ne ni non nos notre nous on
  ont ou où par parce pas pendant peu peut peuvent peux plus pour pourquoi pouvait pouvoir pouvons puis qu quand quelqu que
  quel quelle quelles quels qui quoi s sa sans se sera ses si soit sommes son sont sous suis sur t ta te tes toi ton
  toujours tous tout toute toutes très tu un une va vers voici voilà vos votre vous y`,
  es: `a al algo algún alguna algunas alguno algunos ante antes aquel aquella aquí así aun aún aunque bajo bien cada como
  cómo con cual cuál cuales cuáles cualquier cuando cuándo cuanto cuánto cuántos cuya cuyo de del desde donde dónde dos
  e el él ella ellas ellos en entonces entre era eran eres es esa esas ese eso esos esta está estaba estaban estado
  estamos están estar estas este esto estos estoy fue fueron ha había habían haber hace hacemos hacen hacer hacía haga
  hago han has hasta hay he hecho hemos hicieron hicimos hizo la las le les lo los más me mi mis mismo mucho muy nada
  ni no nos nosotros nuestra nuestras nuestro nuestros o os otra otras otro otros para pero poco podemos podía por
  porque puede pueden puedo pues que qué quien quién quienes se sea ser será si sí sido sin sino sobre sólo solo somos
  son soy su sus también tampoco tan tanto te tenemos tener tengo tenía tiene tienen toda todas todavía todo todos tu
  tus tú u un una unas uno unos usted y ya yo
  anoche anteayer ayer hoy`,
  pt: `a à ao aos aquela aquele aquilo as às assim até cada com como da das de dela dele deles depois do dos e é ela elas
  ele eles em entre era eram essa essas esse esses está estamos estão estar estas estava estavam este esteja estes
  estou eu faz fazemos fazer fazia feita feito fez fizemos foi fomos for foram fosse gente há isso isto já la lhe lo
  mais mas me mesmo meu meus minha minhas muito na não nas nem nenhum no nos nós nossa nossas nosso nossos num numa o
  onde os ou outra outras outro outros para pela pelas pelo pelos pode podem podemos podia por porque porquê pra
  qual quais qualquer quando quanto quantos que quê quem são se seja sem sempre ser será seu seus sido só sobre somos
  sua suas também tão te tem têm temos tenho ter teve tinha toda todas todo todos tu tudo um uma umas uns vai vamos
  você vocês vou
  anteontem hoje ontem`,
  it: `a abbia abbiamo ad agli ai al alla alle allo allora altra altre altri altro anche ancora avere aveva avevamo avevano
  avuto c che chi ci ciò coi col come con cosa così cui d da dagli dai dal dalla dalle dallo dei degli del dell
  della delle dello deve devo di dopo dove dovuto due e è ed era erano essere fa facciamo fanno fare fatta fatto fino
  fra già gli ha hai hanno ho i il in invece io l la le lei li lo loro lui ma mai me mentre mi mia mie miei mio molto
  ne nei negli nel nell nella nelle nello niente no noi non nostra nostre nostri nostro o ogni oppure ora per perché
  però più poi può puoi qual quale quali qualcosa quando quanta quante quanti quanto quasi quei quel quell quella
  quelle quelli quello questa queste questi questo qui s sarà se sei senza si sia siamo solo sono sopra sotto sta
  stata state stati stato stesso su sua sue sugli sui sul sull sulla sulle sullo suo suoi t te ti tra tu tutta tutte
  tutti tutto un una uno v va vi viene voi
  oggi ieri scorsa scorso`,
  nl: `aan al alle als andere bij ben bent dan dat de deden deed den der deze die dit doe doen doet door dus een eens en er
  ge gedaan geen gedaan had hadden heb hebben hebt heeft hem het hier hij hoe hun iets ik in is ja je jij jou jouw
  jullie kan kon konden kunnen maar me meer men met mij mijn moest moet moeten na naar niet niets nog nu of om omdat
  onder ons onze ook op over te tegen toch toen tot u uit uw van veel voor waar waarmee waarom waarop waarvoor wanneer
  waren was wat we wel welk welke werd werden wie wij wil wilde willen word worden wordt zal ze zei zich zij zijn zo
  zonder zou zouden
  afgelopen eergisteren gisteren laatste vandaag vorige`,
  id: `ada adalah agar akan aku anda antara apa apakah atau bagaimana bagaimanakah bagi bahwa banyak beberapa begitu
  belum berapa biar bisa boleh buat bukan cara coba cuma dalam dan dapat dari daripada dengan di dia dimana dong
  dulu gak gimana hanya harus hingga ia ini itu jadi jangan jika juga kalau kami kamu kapan karena ke kemudian
  kenapa kepada ketika kita kok lagi lain lalu lebih maka mana masih mau melakukan mengapa menjadi mereka namun
  nanti nggak nya oleh pada para perlu pernah pula saat saja saling sama sambil sampai sangat saya sebagai sebelum
  sebuah sedang sehingga sekarang selain selalu selama semua seperti serta sesuatu setelah setiap siapa sih suatu
  sudah supaya tadi tanpa tapi telah tentang terhadap tersebut tetap tetapi tidak tolong udah untuk yaitu yang
  hari kemarin terakhir`,
  cs: `a aby ale anebo ani asi až během bez bude budeme budete budeš budou budu by bych bychom byl byla byli bylo byly bys byste
  být cím co což čem čemu či čím další dělá dělal dělala dělali dělat do ho hodně i já jak jaká jakou jaké jakého jakém
  jakým jaký jako je jeden jedna jedno jeho jej její jejich jemu jen jenom ještě ji jí jich jim jinak již jsem jseš jsi jsme
  jsou jste k kam kde kdo kdy když ke která které kterého kterém kterou který kterým kteří ku kvůli má mají málo mám máme máš
  máte mě měl měla měli mělo mezi mi mít mně mnou moc moje moji mojí mou možná může můžeme můžeš můžete můj my na nad nám
  námi nas nás náš naše našeho naší naši ne nebo nebyl nebyla nebylo něco nějak nějaká nějaké nějaký nejsem nejsou někde někdo
  není než nic nich ním o od ode on ona oni ono ony pak po poté pořád potom potřebuji pouze pro proč prosím proti protože před
  přes při s se si sice skrz skoro své svého svém svou svůj ta tady tak také takhle takový takže tam tato te tě ten tě teď
  tedy ten ti to tobě toho tohle tom tomu totiž tou toto třeba tu tuto tvůj ty tyto u udělal udělala udělali udělat už v vám
  vás váš vaše ve více však všechno všechny vy z za zda zde ze že`,
  pl: `a aby albo ale bardzo bez będą będzie bo by być był była było były byli co coś czego czemu czy czyli czym dla
  dlaczego do gdy gdyby gdzie go i ich ile im inne inny ja jak jaka jaką jaki jakie jakiej jakim jako je jednak jego
  jej jest jestem jesteśmy jeszcze jeśli jeżeli już każdy kiedy kim kogo komu kto która którą które którego której
  który których którym którzy lub ma mają mam mamy mi między miał miała mnie może można możemy mój moja my na nad nam
  nami nas nasz nasza nie nic nich nią nim niż no o od on ona one oni ono oraz pan po pod ponieważ potem przed przez
  przy raz robi robić robiliśmy robimy są się skąd swoje ta tak taki takie tam te tego tej ten teraz też to tobie trzeba tu ty
  tych tylko tym u w wam was wasz we więc wszystkie wszystko wtedy z za zawsze ze zrobić zrobił zrobiliśmy zrobiono
  że żeby
  dzisiaj przedwczoraj wczoraj zeszłego zeszły zeszłym`,
  tr: `acaba ama ancak artık aslında az bana bazı belki ben benim beri bile bir biraz biri birkaç biz bize bizim bu buna
  bunda bundan bunlar bunları bunların bunu bunun burada çok çünkü da daha de defa değil diğer diye dolayı en etmek etti
  ettik ettim ediyor gibi göre hangi hem henüz hep hepsi her hiç için ile ilgili ise işte kadar kez ki kim kimse mi mı
  mu mü nasıl ne neden nedir nedeni nerede nereden nereye neydi neyi neler niçin niye o olan olarak oldu olduğu olduğunu
  olması olmak olur oluyor ona ondan onlar onların onu onun orada önce öyle peki sadece sana sen senin sonra şey şimdi
  şöyle şu tarafından tüm üzere üzerinde üzerine var vardı ve veya ya yani yap yapıldı yapılan yapılır yapmak yaptı
  yaptık yaptım yapıyor yerine yine yok`,
  ru: `а без бы был была были было быть в вам вас ваш весь во вот все всё всех вы где да даже делаем делает делал делали делать для до
  его ее её ей если есть еще ещё ж же за зачем здесь и из из-за или им их к какая какие какой каком какую как каких
  когда кого ком кому которая которое которой которую которые который которых кто куда ли лучше между меня мне много
  можем может можно мой мы на над надо нам нас наш наша наши не него нее неё ней нельзя нет ни нибудь них но ну нужно о
  об один она они оно от откуда очень по под после потом потому почему при про раз с сам сделал сделали сделано
  сделать себе себя сейчас сколько со так такая также такие такой там те тебе тебя тем теперь то тогда того тоже той
  только том тот ту тут ты у уже хотя чего чей чем через что чтоб чтобы эта эти это этого этой этом этот эту я`,
  uk: `а або адже але б без би більше був була були було бути в вам вас ваш весь ви від він вже вона вони воно все всі всіх
  де для до дуже є ж за зараз зі з із зробив зробили зробити й його йому і їй її їм їх коли ким кого кому крім куди ли
  лише ми мене мені між мій може можемо можна має наприклад мають на навіщо над нам нас наш наша наші не нього немає неї ні ніж
  ніколи ним них ну о один під по поки потім потрібно при про роби робимо робити робить саме себе скільки собі так
  така такий також там та те тебе теж тепер ти тим то тобі тоді того той тому тут у усі хоча хто це цей ця ці цього
  цьому через чи чим чого чому ще що щоб щось як яка яке який яким яких якими якого якої якому яку які якщо я`,
  vi: `anh bạn bao bị bởi cả các cái cách cần cho chỉ chúng chưa có của cũng cứ do đã đang đâu để đến đều đó được em gì giờ
  hay họ hoặc hơn khi không là lại làm lên lúc mà mình mỗi một nào này nên nếu như nhưng những ở phải qua ra rằng rất
  rồi sao sau sẽ ta tại theo thế thì tôi trên trong trước từ tuy và vào vẫn vậy về vì với vừa xin`,
  ar: `آخر أحد إذا إلا إلى أن أنا أنت أنه أو أي أية أين إن إنه الآن التي الذي الذين ألا أما ب بأن بعد بعض به بها بين بدون تلك تم
  ثم حتى حول حيث خلال دون ذلك رغم ضد ضمن على عليه عليها عن عند عنه عندما غير ف في فيه فيها قبل قد كان كانت كانوا كذلك كل كم
  كما كنا كنت كيف ل لا لأن لأنه لأنها لدى لدينا لذلك لقد لكن لكي لم لما لماذا لن له لها لهذا لو ليس ليست ما ماذا مع متى من منذ
  منه منها مثل نحن نعم هذا هذه هكذا هل هم هنا هناك هو هي و وقد ولا وهو وهي يا يتم يكون يمكن`,
  he: `אבל או אולי אותה אותו אותם אותי אז אחר אחרי אחת אי איזה איזו אילו אין איך אין אכן אל אלה אלו אם אנו אנחנו אני אף אפשר
  אשר את אתה אתם בגלל בו בין בכל בלי בעת גם דרך הוא היא היה היו הייתה היתה היכן הם הן הנה הזה הזאת הזו ואז וגם זאת זה זו
  יהיה יותר יכול יש כאן כבר כדי כי כך כל כלל כמה כמו כן לא לאן לגבי להיות לו לי לך לכן לכם למה לנו לפי לפני מאוד מאין מדוע
  מה מהו מהי מול מי מן מנת מספר מצד מתי נגד עד עוד על עליו עם עכשיו עצמו עשה עשו עשינו פה צריך צריכים רק של שלה שלהם שלו
  שלי שלך שלכם שלנו שם שני תחת`,
  hi: `अगर अपना अपनी अपने अब अभी आदि आप इन इनका इनके इस इसका इसकी इसके इसमें इसलिए इससे इसे उन उनका उनके उन्हें उस उसका उसकी उसके
  उसमें उससे उसे एक ऐसा ऐसे और कब कभी कम कर करके करता करते करना करने करें कहा कहाँ का कि किए कितना कितने किया किस किसका किसी की
  कुछ के कैसा कैसी कैसे को कोई कौन कौनसा क्या क्यों क्योंकि गई गए गया जब जहाँ जा जाता जाती जाते जाना जाने जैसा जैसे जिस जो तक तब
  तथा तरह तो था थी थे दिया दो द्वारा न नहीं ने पर फिर बहुत बाद भी मगर मुझे में मेरा मेरी मेरे मैं यदि यह यहाँ या ये रहा रही रहे लिए
  लेकिन वह वहाँ वाला वाली वाले वे सकता सकते सब सभी साथ से सो हम हमारा हमारे हमें ही हुआ हुई हुए है हैं हो होगा होता होती होते होना
  होने`,
  zh: `为什 什么 怎么 么样 多少 哪些 哪个 哪里 如何 我们 你们 他们 她们 它们 这个 那个 这些 那些 这样 那样 这里 那里 一个 一下
  没有 不是 是不 可以 可不 能不 不能 因为 所以 但是 而且 如果 还是 或者 已经 还有 就是 的时 时候 是什 什麼 怎麼 為什 麼樣 我們
  你們 他們 這個 那個 這些 這樣 這裡 沒有 因為 還有 還是 已經 了什 做了 么做 的是 了吗 是怎 么会 们是 们怎 们做 们的 会不 请问
  么的 么了 我的 你的 他的 这是 那是 是在 是的 么时`,
  // Beside words in hiragana alone.
  ja: `何で 何を 何が 何の 何か 何だ 何に 何も 何と 何処 何故 に何 の何 は何 が何 か何 事は 事が 事を 時は 時に 時の 場合 合は 合の 合に
  為に 方法 法は 法を`,
  ko: `왜요 무엇 엇을 엇이 뭐가 뭐였 뭔가 뭘까 어떻 떻게 어떤 언제 어디 디에 누가 누구 얼마 우리 리가 리는 리의 저희 그리 리고
  그래 래서 그런 그럼 하지 지만 때문 문에 했나 나요 했지 했어 했는 하기 기로 했습 습니 니다 니까 였지 였나 였습 이었 었지 었나
  었어 었습 있나 있던 있는 있어 없나 없는 없어 하는 하나 한가 가요 인가 인지 는지 되나 되는 됐나 됐지 됐어 되던 하던 던가 까요
  어요 아요 이에 에요 예요 이야 이고 에서 에게 으로 부터 까지 이나 거나 대한 대해`,
};
const CODES = Object.keys(OTHERS) as (keyof typeof OTHERS)[];

/** Other letters than those of English, in lower case: of a text without any stop word, they alone tell the language. */
const LETTERS: Record<keyof typeof OTHERS, RegExp> = {
  de: /[äöüß]/,
  fr: /[àâæçèéêëîïôœùûüÿ]/,
  es: /[áéíñóúü]/,
  pt: /[àáâãçéêíóôõúü]/,
  it: /[àèéìîòóù]/,
  nl: /[áäèéëíïóöúü]/,
  // It has none.
  id: /(?!)/,
  cs: /[áčďéěíňóřšťúůýž]/,
  pl: /[ąćęłńóśźż]/,
  // A capital İ becomes an i with a dot of its own.
  tr: /[âçğıîöşüû\u0307]/,
  ru: /[\u0400-\u04ff]/,
  uk: /[\u0400-\u04ff]/,
  vi: /[àáâãèéêìíòóôõùúýăđĩũơưạ-ỹ]/,
  ar: /[\u0600-\u06ff]/,
  he: /[\u0590-\u05ff]/,
  hi: /[\u0900-\u097f]/,
  zh: /[\u3400-\u9fff]/,
  ja: /[\u3040-\u30ff\u3400-\u9fff\uff66-\uff9f]/,
  ko: /[\u1100-\u11ff\uac00-\ud7af]/,
};

/** Those of other languages that English texts about software hold, too: one in a thousand, or more. */
const ALSO_ENGLISH = new Set(
  `ad ai al also am ban bin c ci co col com come comment d dies dir due e era font go ini ins io jest l len man met n non num
  o once one op os per plus ra state ten todo todos ty u v var w word y z`.split(/\s+/),
);

/** By word the languages in which it is one, 0 being English; made when first asked for, as few commands ask. */
let byWord: Map<string, number[]> | undefined;

function languagesByWord(): Map<string, number[]> {
  const made = new Map<string, number[]>();
  [ENGLISH, ...Object.values(OTHERS)].forEach((words, language) => {
    for (const word of new Set(words.split(/\s+/).map(plain)))
      made.set(word, [...(made.get(word) ?? []), language]);
  });
  return made;
}

function languagesOf(word: string): readonly number[] {
  return (byWord ??= languagesByWord()).get(plain(word)) ?? [];
}

/** Accents may be left out; vowel signs make other words (`बंद`, `बाद`). */
function plain(word: string): string {
  return /[\u0900-\u097F]/.test(word) ? word : foldedLetters(word);
}

/** What the words of a text tell of its language. */
export interface TextLanguage {
  /** False where nothing tells that it is another one. */
  isOther: boolean;
  /** What it may be other than English, by code; where it has other letters than English, as well as English. */
  maybe: readonly string[];
  /** Whether a word of the text, in lower case, says nothing about its subject; of compounds (`est-ce`) each part. */
  isStopWord: (word: string) => boolean;
}

/**
 * English words say nothing in any text, others only in one of their language.
 * @param words in lower case
 */
export function textLanguage(words: Iterable<string>): TextLanguage {
  const different = [...new Set(words)];
  const ofShort = different.some((word) => /[^\0-\x7F]/.test(word)) ? 2 : 1;
  const points = Array.from({ length: 1 + CODES.length }, () => 0);
  for (const word of different) {
    for (const language of languagesOf(word)) points[language]! += pointsOf(word, language, ofShort);
  }
  const [english = 0, ...others] = points;
  const top = Math.max(...others);
  const most = Math.max(2, english + 1, top);
  const letters = top === 0 ? different.join(' ') : '';
  const mayBe = (code: keyof typeof OTHERS, index: number): boolean =>
    top === 0 ? LETTERS[code].test(letters) : others[index] === top;
  const isOfText = (word: string): boolean =>
    languagesOf(word).some((language) => language > 0 && points[language] === most);
  return {
    isOther: others.includes(most),
    maybe: top > english || (top === english && ofShort > 1) ? CODES.filter(mayBe) : [],
    isStopWord: (word) => languagesOf(word).includes(0) || word.split('-').every(isOfText),
  };
}

/**
 * A single short one in plain letters may be a name, unless the text has other letters; of some only several tell, and
 * none of English (`am`).
 */
function pointsOf(word: string, language: number, ofShort: number): number {
  if (ALSO_ENGLISH.has(word)) return language === 0 ? 0 : ofShort / 2;
  return /^[a-z]{1,5}$/.test(word) ? ofShort : 2;
}
