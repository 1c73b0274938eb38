// SPDX-License-Identifier: Apache-2.0
// typed.js MANIFEST   writes a manifest of a Job as a program that declares it to be one
const fs = require('fs');
const yaml = require('yaml');
const all = yaml.parseAllDocuments(fs.readFileSync(process.argv[2], 'utf8'));
if (all.length !== 1 || all[0].errors.length + all[0].warnings.length > 0)
  throw new Error(`not one document without faults: ${all.map((one) => one.errors)}`);
console.log(`import type {Job} from 'kubernetes-types/batch/v1';
export const manifest: Required<Pick<Job, 'apiVersion' | 'kind' | 'metadata' | 'spec'>> =
${JSON.stringify(all[0].toJS(), null, 1)};`);
