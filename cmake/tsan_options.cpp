// ThreadSanitizer's options of the program itself: many tests start it without their own environment.
extern "C" const char* __tsan_default_options() {
  return "halt_on_error=1:ignore_noninstrumented_modules=1:suppressions=" CODEXMEM_SUPPRESSIONS;
}
