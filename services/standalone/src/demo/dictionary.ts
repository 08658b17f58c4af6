export const languages = ['French', 'German', 'Spanish'] as const;
export type Language = (typeof languages)[number];

type Translations = Readonly<Record<Language, string>>;

const entry = (French: string, German: string, Spanish: string): Translations => ({
  French,
  German,
  Spanish,
});

/** Words and phrases, in lower case and without punctuation. */
export const dictionary: ReadonlyMap<string, Translations> = new Map([
  ['good morning', entry('bonjour', 'guten Morgen', 'buenos días')],
  ['good evening', entry('bonsoir', 'guten Abend', 'buenas tardes')],
  ['good night', entry('bonne nuit', 'gute Nacht', 'buenas noches')],
  ['how are you', entry('comment allez-vous', 'wie geht es Ihnen', 'cómo está usted')],
  ['see you tomorrow', entry('à demain', 'bis morgen', 'hasta mañana')],
  ['thank you', entry('merci', 'danke', 'gracias')],
  ['hello', entry('bonjour', 'hallo', 'hola')],
  ['goodbye', entry('au revoir', 'auf Wiedersehen', 'adiós')],
  ['please', entry("s'il vous plaît", 'bitte', 'por favor')],
  ['thanks', entry('merci', 'danke', 'gracias')],
  ['yes', entry('oui', 'ja', 'sí')],
  ['no', entry('non', 'nein', 'no')],
  ['and', entry('et', 'und', 'y')],
  ['my', entry('mon', 'mein', 'mi')],
  ['friend', entry('ami', 'Freund', 'amigo')],
  ['world', entry('monde', 'Welt', 'mundo')],
  ['water', entry('eau', 'Wasser', 'agua')],
  ['bread', entry('pain', 'Brot', 'pan')],
  ['coffee', entry('café', 'Kaffee', 'café')],
  ['tea', entry('thé', 'Tee', 'té')],
  ['house', entry('maison', 'Haus', 'casa')],
  ['today', entry("aujourd'hui", 'heute', 'hoy')],
  ['tomorrow', entry('demain', 'morgen', 'mañana')],
  ['red', entry('rouge', 'rot', 'rojo')],
  ['blue', entry('bleu', 'blau', 'azul')],
]);
