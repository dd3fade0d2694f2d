export * from "vue";
export {};
