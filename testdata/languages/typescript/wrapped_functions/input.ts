// Casts and parentheses hide no function.
export const Suspense: FC<Props> = (({ children }) => children) as unknown as FC;
export const Boundary = (({ children }) => children) as FC<Props>;
const loose = function () {} as any;
const checked = ((a: number) => a) satisfies Handler;
