"use strict";
// Packed blocks of the page, opened when somebody needs them.

function bytesOf(identity) {
  const text = document.getElementById(identity).textContent;
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

function unpacked(identity) {
  const stream = new Blob([bytesOf(identity)]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream);
}

/** Calls a function once for each key and remembers what it promised. */
function remembered(make) {
  const known = new Map();
  return (key) => {
    if (!known.has(key)) known.set(key, make(key));
    return known.get(key);
  };
}
