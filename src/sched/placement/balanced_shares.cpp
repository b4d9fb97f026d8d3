#include "sched/placement/balanced_shares.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

namespace weir::sched {
namespace {

// How far the largest domains reach.
struct Greedy {
  std::uint32_t domains = 0;
  std::uint32_t last = 0;  // capacity of the last one taken
};

std::optional<Greedy> take_largest(std::vector<DomainShare> domains, std::uint32_t amount) {
  std::ranges::sort(domains, std::greater{}, &DomainShare::amount);
  Greedy greedy;
  for (const DomainShare& one : domains) {
    if (amount == 0) break;
    if (one.amount == 0) return std::nullopt;
    ++greedy.domains;
    greedy.last = one.amount;
    amount -= std::min(amount, one.amount);
  }
  if (amount > 0) return std::nullopt;
  return greedy;
}

// Shannon entropy of how a domain's capacity lies below it.
double entropy(const BalancedDomain& domain) {
  double total = 0;
  for (const DomainShare& one : domain.below) total += one.amount;
  double sum = 0;
  for (const DomainShare& one : domain.below)
    if (one.amount > 0) sum -= one.amount / total * std::log2(one.amount / total);
  return sum;
}

std::uint32_t total(const BalancedDomain& domain) {
  std::uint32_t sum = 0;
  for (const DomainShare& one : domain.below) sum += one.amount;
  return sum;
}

// Without what lies below the threshold.
BalancedSet pruned(BalancedSet set, std::uint32_t threshold) {
  for (BalancedDomain& domain : set) {
    std::erase_if(domain.below, [&](const DomainShare& one) { return one.amount < threshold; });
    if (total(domain) < threshold) domain.below.clear();
  }
  std::erase_if(set, [](const BalancedDomain& domain) { return domain.below.empty(); });
  return set;
}

std::vector<DomainShare> sums(const BalancedSet& set) {
  std::vector<DomainShare> found;
  for (const BalancedDomain& domain : set) found.push_back({domain.domain, total(domain)});
  return found;
}

std::vector<DomainShare> all_below(const BalancedSet& set) {
  std::vector<DomainShare> found;
  for (const BalancedDomain& domain : set)
    found.insert(found.end(), domain.below.begin(), domain.below.end());
  return found;
}

// As few domains as take_largest() needs, of the least capacity in all; of equal choices the one
// that comes first in the order given.
std::vector<DomainShare> smallest_set(const std::vector<DomainShare>& domains,
                                      std::uint32_t amount) {
  const auto greedy = take_largest(domains, amount);
  if (!greedy) return {};
  using Choice = std::vector<DomainShare>;
  // [domains used][left to place]: the first choice that leaves so much.
  std::vector<std::map<std::int64_t, Choice>> choices(greedy->domains + 1);
  choices[0][amount] = {};
  for (const DomainShare& one : domains) {
    for (std::uint32_t used = greedy->domains; used > 0; --used) {
      for (const auto& [left, before] : choices[used - 1]) {
        if (left <= 0) continue;
        Choice with = before;
        with.push_back(one);
        choices[used].try_emplace(left - one.amount, std::move(with));
      }
    }
  }
  const auto& complete = choices[greedy->domains];
  const auto above = complete.upper_bound(0);
  return above == complete.begin() ? Choice{} : std::prev(above)->second;
}

struct Best {
  BalancedSet set;
  std::uint32_t threshold = 0;
  std::uint32_t domains = std::numeric_limits<std::uint32_t>::max();
};

Best best_set(const std::vector<BalancedSet>& sets, std::uint32_t amount) {
  Best best;
  for (const BalancedSet& set : sets) {
    const auto greedy = take_largest(all_below(set), amount);
    if (!greedy) continue;
    const std::uint32_t threshold = std::min(amount / greedy->domains, greedy->last);
    if (threshold == 0 || threshold < best.threshold) continue;
    BalancedSet left = pruned(set, threshold);
    const auto fits = take_largest(sums(left), amount);
    if (!fits || (threshold == best.threshold && fits->domains >= best.domains)) continue;
    best = {std::move(left), threshold, fits->domains};
  }
  return best;
}

// Large domains first, of equal ones the most even.
void sort_by_entropy(BalancedSet& set) {
  std::ranges::sort(set, [](const BalancedDomain& a, const BalancedDomain& b) {
    if (total(a) != total(b)) return total(a) > total(b);
    const double even_a = entropy(a);
    const double even_b = entropy(b);
    return even_a != even_b ? even_a > even_b : a.domain < b.domain;
  });
}

}  // namespace

std::vector<DomainShare> share_balanced(const std::vector<BalancedSet>& sets, std::uint32_t amount,
                                        bool two_levels) {
  Best best = best_set(sets, amount);
  if (best.threshold == 0) return {};
  std::vector<DomainShare> lower = all_below(best.set);
  if (two_levels) {
    sort_by_entropy(best.set);
    const std::vector<DomainShare> chosen = smallest_set(sums(best.set), amount);
    std::erase_if(best.set, [&](const BalancedDomain& domain) {
      return std::ranges::find(chosen, domain.domain, &DomainShare::domain) == chosen.end();
    });
    std::ranges::sort(best.set, {}, &BalancedDomain::domain);
    lower = all_below(best.set);
  }
  std::vector<DomainShare> shares = smallest_set(lower, amount);
  const std::uint64_t least = std::uint64_t{best.threshold} * shares.size();
  if (shares.empty() || amount < least) return {};
  std::ranges::sort(shares, [](const DomainShare& a, const DomainShare& b) {
    return a.amount != b.amount ? a.amount > b.amount : a.domain < b.domain;
  });
  auto extra = static_cast<std::uint32_t>(amount - least);
  for (DomainShare& one : shares) {
    const std::uint32_t more = std::min(extra, one.amount - best.threshold);
    one.amount = best.threshold + more;
    extra -= more;
  }
  if (extra > 0) return {};
  return shares;
}

}  // namespace weir::sched
