"use strict";

/** The path of codexmem or codexmem-hook in the package of this platform; without one, says so and exits with 2. */
exports.program_of = function (name) {
  const platform = `${process.platform}-${process.arch}`;
  try {
    return require.resolve(`@codexmem/${platform}/bin/${name}`);
  } catch {
    console.error(
      platform === "linux-x64"
        ? "codexmem: the package @codexmem/linux-x64 is missing: install both packages, without --omit=optional"
        : `codexmem: there is no program for ${platform}, only for linux-x64 with glibc 2.31 or later`,
    );
    process.exit(2);
  }
};
