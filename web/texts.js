// SPDX-License-Identifier: Apache-2.0
// Every text that the page shows, in the language of the reader: texts/en.js and others like it. The
// language is that of the address (?lang=de), else the first that the browser asks for.
import { words } from './shared/words.js';

export const LANGUAGES = ['en', 'fr', 'de', 'es'];
const inBrowser = typeof location !== 'undefined';
const asked = inBrowser ? [new URLSearchParams(location.search).get('lang') || '', ...navigator.languages] : [];
const language =
  asked.map(name => name.slice(0, 2).toLowerCase()).find(name => LANGUAGES.includes(name)) || LANGUAGES[0];

/** @type {any} */
export const T = (await import(`./texts/${language}.js`)).T;
/** Words for what the program says, in other languages than its own. @type {any} */
export const TOLD = language === 'en' ? null : (await import(`./texts/told.${language}.js`)).told;
Object.assign(words, T.words);
if (inBrowser) document.documentElement.lang = T.language;
