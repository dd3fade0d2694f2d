function Button(props: { label: string; onPress: (event: Press) => void }) { return <b>{props.label}</b>; }
export const App = () => <Button label="a" onPress={(event) => event.stop()} {...more} />;
const element = <ui.List items={[{ id: 1 }]}><Item /></ui.List>;
