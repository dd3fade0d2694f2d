/** A page. */
@Component({ selector: "app", deps: [Service] })
@sealed
export class Page {
  @Input() title: string;
  @Output()
  readonly changed = new EventEmitter<string>();
  constructor(@Inject(TOKEN) private service: Service) {}
  @HostListener("click", ["$event"])
  @logged
  onClick(event: MouseEvent) {
    this.service.send(event);
  }
  @computed get full(): string {
    return this.title;
  }
}
export @late class Later {}
