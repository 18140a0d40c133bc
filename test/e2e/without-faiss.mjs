// Imported first in every thread of a server: there, faiss-node was never built.
import Module from 'node:module';

const load = Module._load;
Module._load = function (request, ...others) {
  if (request === 'faiss-node') throw new Error("Cannot find module 'faiss-node'");
  return load.call(this, request, ...others);
};
