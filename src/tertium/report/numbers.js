// Numbers as people read them.

const MINUS = "\u2212";

/** A number as people read it: fixed decimals and a true minus sign. */
function written(value, digits) {
  if (value === null || value === undefined || Number.isNaN(value)) return "undefined";
  return value
    .toFixed(digits)
    .replace(/^-(?=.*[1-9])/, MINUS)
    .replace(/^-/, "");
}

function signed(value, digits) {
  const text = written(value, digits);
  return value > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

function percent(share) {
  return `${(100 * share).toFixed(1)} %`;
}

function pValue(p) {
  if (p === null || p === undefined) return "no p-value";
  if (p < 0.00005) return "p < .0001";
  if (p >= 1) return "p = 1";
  let digits = p >= 0.01 ? 3 : 4;
  const roundedUp = () => Math.ceil(Number((p * 10 ** digits).toFixed(6))) / 10 ** digits;
  while (p < 0.05 && roundedUp() >= 0.05 && digits < 12) digits += 1; // .04999 must not look like .05
  return `p = ${roundedUp().toFixed(digits).replace(/^0/, "")}`;
}

/** Numbers of any kind: whole ones as they are, others with a few decimals. */
function plain(value) {
  if (value === null || value === undefined) return "";
  if (typeof value !== "number") return String(value);
  if (Number.isInteger(value)) return String(value).replace("-", MINUS);
  return written(value, Math.abs(value) < 1 ? 4 : 2);
}
