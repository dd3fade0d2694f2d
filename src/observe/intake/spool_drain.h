// observe/intake/spool_drain.h - reads the files that hooks left while the worker was away or
// too slow.
//
// hook/spool.h describes the files. They are taken in the order of their names, which is the order
// of the events. A file is deleted once its events are committed; events that are read twice
// because of a kill in between are known by their ids. Unreadable files are kept in spool/bad for a
// week. Thread-safe. Design: docs/how-it-works.md, "Hooks".
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/result.h"
#include "observe/intake/intake.h"

namespace codexmem::observe {

class SpoolDrain {
 public:
  /// Takes events in their order, all of them or none: Intake::take_all().
  using Take = std::function<Result<void>(std::vector<IntakeRequest>)>;

  /// `directory` is the user's data directory; its folder "spool" is made.
  SpoolDrain(const std::filesystem::path& directory, Take take);
  ~SpoolDrain();
  SpoolDrain(const SpoolDrain&) = delete;
  SpoolDrain& operator=(const SpoolDrain&) = delete;

  /// Takes in all that waits; little work when nothing does. An event that comes by itself is
  /// preceded by it, so that earlier ones are. Errors: the store's, and then the rest
  /// waits on; of `take`.
  Result<void> drain();

  /// From now on what comes is taken in as it comes, by a thread that sleeps in between, until the
  /// end of this object. What could not be taken in is tried again, after a second at first and
  /// after a minute at most. A folder that is deleted is made and watched again.
  void watch();

  /// Ends that, and waits until it has ended; drain() may still be called.
  void stop();

 private:
  std::vector<std::string> names() const;
  void put_aside(const std::string& name, const Error& why);
  Result<void> take_batch(const std::vector<std::string>& names, std::size_t* taken);
  void sweep();
  void make_folder();
  void run(std::stop_token stop);

  std::filesystem::path folder_;
  Take take_;
  std::mutex mutex_;  // one drains at a time
  int wake_ = -1;     // an eventfd that ends the thread's sleep
  std::jthread watcher_;
};

}  // namespace codexmem::observe
