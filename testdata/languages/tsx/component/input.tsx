import React, { useState } from "react";
import * as UI from "./ui";

interface Props {
  title: string;
  onClose?: () => void;
}

/** Shows a title. */
export const Card: React.FC<Props> = ({ title, onClose, ...rest }) => {
  const [open, setOpen] = useState<boolean>(true);
  return (
    <UI.Panel title={title} {...rest}>
      <Header open={open} onClick={() => setOpen(!open)} data-id="x" />
      <span className="plain">{open ? <Body<Props> items={[1]} /> : null}</span>
      <></>
    </UI.Panel>
  );
};

export function List<T,>({ items }: { items: T[] }) {
  return items.map((item) => <li key={item.id}>{item.name}</li>);
}

export default React.memo(Card);
