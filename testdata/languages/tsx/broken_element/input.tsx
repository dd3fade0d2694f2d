export function Good() {
  return <div>fine</div>;
}
export function Bad() {
  return <div><span></div>;
}
export const after = 1;
