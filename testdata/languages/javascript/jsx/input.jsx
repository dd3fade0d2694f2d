import { Button } from './button';
export function App({ user }) {
  return (
    <Button onClick={() => user.save()} label="x">
      <Menu.Item {...user} />
      {user.name}
    </Button>
  );
}
