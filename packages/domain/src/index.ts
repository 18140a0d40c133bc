export * from './errors.js';
export * from './transcript.js';
