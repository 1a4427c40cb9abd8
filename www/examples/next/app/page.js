import { Transfers } from "./transfers.js";

export default async function Page({ searchParams }) {
  const { address = "0x00000000219ab540356cBB839Cbe05303d7705Fa" } = await searchParams;
  return <Transfers address_hash={address} />;
}
