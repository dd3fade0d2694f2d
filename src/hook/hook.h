// hook/hook.h - one call of a coding tool's hook: its event reaches the worker, or the spool.
//
// Whatever goes wrong here, the host goes on: the answer is neutral and the exit code 0. What is
// too long is cut first. What is posted is else what the host wrote, and the worker takes private
// parts and secrets out of it before it keeps anything; what is spooled is on the disk, so they
// are taken out here. Design: docs/how-it-works.md, "Hooks".
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "config/settings.h"
#include "hook/host_input.h"

namespace codexmem::hook {

/// How long a hook waits for the worker to take an event. After that it takes some milliseconds to
/// leave the event in the spool, and all of that must be done in 50 ms.
inline constexpr std::chrono::milliseconds kPostLimit{15};
/// How long it waits for the context, once a session: nothing makes up for a missing one, and a
/// worker that has just started takes a tenth of a second for the first. Also for what a session
/// did not look at, when its turn is over.
inline constexpr std::chrono::milliseconds kContextLimit{500};
/// How long it waits for the edit guard: the host has to get its answer within 100 ms.
inline constexpr std::chrono::milliseconds kGuardLimit{80};
/// After which a hook of the edit guard ends without a word, whatever it is doing.
inline constexpr std::chrono::milliseconds kGuardHookLimit{98};
/// The longest edit that the guard is asked about, in bytes: the texts that it reads are shorter.
inline constexpr std::size_t kMaxGuarded = std::size_t{1} << 20;
/// The longest body that is posted, in bytes. Of more the worker would not be through in time, and
/// the event be posted and spooled; so it is spooled at once, from where the worker takes it.
inline constexpr std::size_t kMaxPosted = std::size_t{32} << 10;
/// How long a host may take to write its event.
inline constexpr std::chrono::milliseconds kInputLimit{1500};
/// After which a hook answers and ends, whatever it is doing.
inline constexpr std::chrono::milliseconds kHookLimit{2000};

struct HookCall {
  Platform platform = Platform::kRaw;
  Event event = Event::kObservation;
  std::filesystem::path directory;  // of the user's data; empty: none
  ReadSetting environment = setting_of_environment;
};

/// Handles `call` with `input`, the JSON that the host wrote: the event is posted, or spooled, and
/// the answer for the host is returned, one line of JSON. Other input is reported on standard
/// error, and counted (hook/refusals.h).
std::string answer_hook(const HookCall& call, std::string_view input);

/// The whole of a hook's process: reads `input_descriptor`, writes the answer to
/// `output_descriptor`. Returns the exit code: 1 for a platform that there is not, printed on
/// standard error, else 0.
int run_hook(std::string_view platform, std::string_view event, int input_descriptor,
             int output_descriptor);

/// What `codexmem-hook --help` prints.
std::string hook_help();

}  // namespace codexmem::hook
