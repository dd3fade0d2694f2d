/** Nobody knows its name. */
export default class extends Base {
  run(): void {}
}
