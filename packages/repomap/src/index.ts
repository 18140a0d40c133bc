export { buildRepoMap } from './build-repo-map.js';
export type { RepoMap, RepoMapOptions } from './build-repo-map.js';
export { renderHtml } from './output/html-page.js';
export type { MapDefinition, MapFile } from './project-map.js';
export type { DefinitionKind, RepoMapIssue } from './tags.js';
