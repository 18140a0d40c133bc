export * from './errors.js';
export * from './transcript.js';
export * from './config.js';
