export { cCore as cQuery } from './c-core.js';
