"use strict";

/** The path of codexmem or codexmem-hook in the package of this platform; without one, says so and exits with 2. */
exports.program_of = function (name) {
  const platform = `${process.platform}-${process.arch}`;
  try {
    return require.resolve(`@codexmem/${platform}/bin/${name}`);
  } catch {
    console.error(
      ["linux-x64", "linux-arm64"].includes(platform)
        ? `codexmem: the package @codexmem/${platform} is missing: install both packages, without --omit=optional`
        : `codexmem: there is no program for ${platform}, only for Linux on x64 or arm64 with glibc 2.31 or later`,
    );
    process.exit(2);
  }
};
