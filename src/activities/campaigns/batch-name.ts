/**
 * The name of a platform batch: `outdial/<installation>/<campaign>/<batch>/<create number>`. It is what finds a
 * batch of ours again whose creation was never answered, and what `outdial recover` reads.
 */
export interface BatchName {
  installation: string;
  campaignId: string;
  batchId: string;
  createNo: number;
}

/** Eight hexadecimal digits of the installation tell apart those that share one platform account. */
export function installationMark(installationId: string): string {
  return installationId.slice(0, 8);
}

export function writeBatchName(name: BatchName): string {
  return `outdial/${name.installation}/${name.campaignId}/${name.batchId}/${name.createNo}`;
}

const NAME = /^outdial\/([0-9a-f]{8})\/([0-9a-f-]{36})\/([0-9a-f-]{36})\/(\d{1,5})$/;

/** Undefined where the name is not of our making. */
export function readBatchName(text: string | undefined): BatchName | undefined {
  const [, installation, campaignId, batchId, createNo] = NAME.exec(text ?? "") ?? [];
  if (installation === undefined || campaignId === undefined || batchId === undefined) return undefined;
  return { installation, campaignId, batchId, createNo: Number(createNo) };
}
