export default {
  name: "plugin",
  setup(app: App) {
    app.use(this);
  },
  nested: { deep: () => 1 },
};
