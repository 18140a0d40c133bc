import { defaultModelDir, Embedder, WorkerPool } from '@causantic/compute';
import { afterAll, expect, it } from 'vitest';

const pool = new WorkerPool({ threads: 1 });
afterAll(() => pool.close());

const TEXTS = [
  'The connection pool of the database was full, so the server refused requests.',
  'The button is hidden on small screens.',
  'Which licence do our dependencies have?',
  'The test fails because the file does not exist.',
];

it.each([
  [
    'Chinese',
    ['数据库的连接池满了', '按钮在小屏幕上被隐藏', '我们的依赖使用什么许可证?', '文件不存在,所以测试失败'],
  ],
  [
    'Chinese, traditional',
    ['資料庫的連線池滿了', '按鈕在小螢幕上被隱藏', '我們的相依套件使用什麼授權?', '檔案不存在,所以測試失敗'],
  ],
  [
    'Japanese',
    [
      'データベースの接続プールがいっぱいです',
      'ボタンは小さい画面では非表示です',
      '依存関係のライセンスは何ですか',
      'ファイルが存在しないのでテストが失敗する',
    ],
  ],
  [
    'Korean',
    [
      '데이터베이스 연결 풀이 가득 찼다',
      '버튼이 작은 화면에서 숨겨진다',
      '의존성의 라이선스는 무엇인가',
      '파일이 없어서 테스트가 실패한다',
    ],
  ],
  [
    'Russian',
    [
      'Пул соединений базы данных заполнен',
      'Кнопка скрыта на маленьких экранах',
      'Какая лицензия у наших зависимостей?',
      'Тест не проходит, потому что файл не существует',
    ],
  ],
  [
    'Ukrainian',
    [
      "Пул з'єднань бази даних заповнений",
      'Кнопка прихована на малих екранах',
      'Яка ліцензія у наших залежностей?',
      'Тест не проходить, бо файл не існує',
    ],
  ],
  [
    'Spanish',
    [
      'El grupo de conexiones a la base de datos está lleno',
      'El botón se oculta en pantallas pequeñas',
      '¿Qué licencia tienen nuestras dependencias?',
      'La prueba falla porque el archivo no existe',
    ],
  ],
  [
    'Portuguese',
    [
      'O conjunto de conexões do banco de dados está cheio',
      'O botão fica oculto em telas pequenas',
      'Qual é a licença das nossas dependências?',
      'O teste falha porque o arquivo não existe',
    ],
  ],
  [
    'French',
    [
      'La réserve de connexions à la base de données est pleine',
      'Le bouton est caché sur les petits écrans',
      'Quelle licence ont nos dépendances ?',
      "Le test échoue parce que le fichier n'existe pas",
    ],
  ],
  [
    'German',
    [
      'Alle Verbindungen zur Datenbank sind belegt',
      'Die Schaltfläche wird auf kleinen Bildschirmen ausgeblendet',
      'Welche Lizenz haben unsere Abhängigkeiten?',
      'Die Prüfung schlägt fehl, weil die Datei nicht existiert',
    ],
  ],
])('the built-in model knows what is said in %s', async (_, translations) => {
  const embedder = await Embedder.open({ pool, modelDir: defaultModelDir() });
  expect(embedder.knowsTaughtLanguages).toBe(true);
  const { dim } = embedder.model;
  const texts = await embedder.embed(TEXTS, 'passage');
  const vectors = await embedder.embed(translations, 'query');
  const cosine = (row: number, text: number): number =>
    vectors
      .subarray(row * dim, (row + 1) * dim)
      .reduce((sum, value, at) => sum + value * texts[text * dim + at]!, 0);
  const nearest = translations.map((__, row) => {
    const cosines = TEXTS.map((___, text) => cosine(row, text));
    return cosines.indexOf(Math.max(...cosines));
  });
  expect(nearest).toEqual([0, 1, 2, 3]);
});
