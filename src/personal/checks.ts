/** Check digits of numbers that stand for people. Every function takes digits (and letters) without separators. */

/** Luhn (ISO/IEC 7812): payment cards, Canadian and Swedish numbers. */
export function isLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** Remainder by 97 of a number of any length, letters as in ISO 7064 (A is 10). */
export function modulo97(text: string): number {
  let rest = 0;
  for (const char of text) {
    const value = /[0-9]/.test(char) ? Number(char) : char.charCodeAt(0) - 55;
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest;
}

/** Remainder of the weighted sum of digits. */
export function weighted(digits: string, weights: readonly number[], modulus: number): number {
  let sum = 0;
  for (const [index, weight] of weights.entries()) sum += Number(digits[index]) * weight;
  return sum % modulus;
}

const product: readonly string[] = [
  "0123456789",
  "1234067895",
  "2340178956",
  "3401289567",
  "4012395678",
  "5987604321",
  "6598710432",
  "7659821043",
  "8765932104",
  "9876543210",
];
const permutation: readonly string[] = [
  "0123456789",
  "1576283094",
  "5803796142",
  "8916043527",
  "9453126870",
  "4286573901",
  "2793806415",
  "7046913258",
];

/** Verhoeff: Indian Aadhaar numbers. */
export function isVerhoeff(digits: string): boolean {
  let check = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]);
    check = Number(product[check]![Number(permutation[index % 8]![digit])]);
  }
  return check === 0;
}

/** ISO 7064, modulus 11, 10: German tax numbers. */
export function isModulo11And10(digits: string): boolean {
  let product = 10;
  for (const digit of digits.slice(0, -1)) {
    const sum = (Number(digit) + product) % 10;
    product = (sum === 0 ? 10 : sum) * 2 % 11;
  }
  return (11 - product) % 10 === Number(digits.at(-1));
}

/** Whether these are a day and a month that exist together in some year. */
export function isDate(month: number, day: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 &&
    day <= [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]!;
}
