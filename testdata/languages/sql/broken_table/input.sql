CREATE TABLE before (id INT);

CREATE TABLE damaged (
  id INT,
  name

CREATE VIEW after AS SELECT id FROM before;
