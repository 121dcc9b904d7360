// SPDX-License-Identifier: Apache-2.0

/** What a release, or one question about it, comes to. Only "protected" is a statement of safety. */
export type Verdict = 'exposed' | 'undecided' | 'waived' | 'protected' | 'unasked';

/** How many questions there are, and how many of each verdict. */
export interface Tally {
  asked: number;
  exposed: number;
  undecided: number;
  waived: number;
  protected: number;
  unasked: number;
}

export interface Verification {
  /** The worst of all. */
  verdict: Verdict;
  /** The exit code of `lacuna verify`: 0 protected, 2 exposed or undecided, 5 unasked, 6 waived. */
  code: 0 | 2 | 5 | 6;
  /** Requirements, in rational numbers. */
  requirements: Tally;
  /** Questions about counts, in whole numbers. */
  questions: Tally;
  /** In the order of the findings. */
  verdicts: Verdict[];
  /** The certificate has a log of the bound of a suppression. */
  hasBound: boolean;
  /** Always false: that log is for `lacuna verify` and the Python script. */
  boundChecked: false;
}

export interface VerifyOptions {
  /** "stated": levels of zero are meant. Default: such a cell must not be exactly computable. */
  zeroLevels?: 'raised' | 'stated';
}

/** The certificate or a file is damaged, was touched, or does not prove what it says. */
export class Refusal extends Error {}

/**
 * Checks a certificate of `lacuna protect` or `lacuna audit` against its table, by additions and
 * multiplications of whole numbers. What the certificate claims counts for nothing.
 * Both are confidential: they hold the true table.
 * @param problem the text of a problem JSON (`lacuna convert TABLE problem.json`)
 * @param certificate the text of the certificate
 * @throws Refusal
 */
export function verify(problem: string, certificate: string, options?: VerifyOptions): Verification;

export interface InferenceVerification {
  /** 0: all that is claimed is shown; 2: an end is not; 3: some numbers were not compared. */
  code: 0 | 2 | 3;
  intervals: number;
  /** Ends of intervals that the proofs do not show. */
  missing: number;
  /** Numbers and blanks that stand in the files as the certificate says. */
  compared: number;
  /** Numbers and blanks that were taken from the certificate: their file was not given. */
  notCompared: number;
  /** Published numbers that were corrected so that the sums hold. */
  corrections: number;
  /** Names of the published files. */
  files: string[];
  /** Which codes add up, to be judged by who knows them. */
  sums: { dimension: string; total: string; parts: string[]; times: number }[];
}

/**
 * Checks a certificate of `lacuna infer`, which is made from published files alone.
 * @param inference the text of the certificate
 * @param files texts of published files of separated values, by the names that the certificate has for them
 * @throws Refusal
 */
export function verifyInference(inference: string, files?: Record<string, string>): InferenceVerification;
