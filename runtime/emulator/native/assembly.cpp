#include "assembly.hpp"

#include <charconv>
#include <map>

#include "decoder.hpp"

namespace lumc::emulator {

namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string_view next_word(std::string_view& text) {
  text = trim(text);
  std::size_t end = 0;
  bool quoted = false;
  while (end < text.size() && (quoted || !is_space(text[end]))) quoted ^= text[end++] == '"';
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

u64 number(std::string_view text, int base) {
  u64 value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, base);
  return value;
}

std::string unquoted(std::string_view word) {
  if (word.size() >= 2 && word.front() == '"') word = word.substr(1, word.size() - 2);
  return std::string(word);
}

class Reader {
 public:
  explicit Reader(std::vector<Location>& locations) : locations_(locations) {
    locations_.assign(1, Location{});
  }

  std::vector<Item> read(std::string_view text) {
    u32 number = 0;
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      ++number;
      line(text.substr(0, end), number);
      if (end == std::string_view::npos) break;
      text.remove_prefix(end + 1);
    }
    return std::move(items_);
  }

 private:
  void line(std::string_view whole, u32 number) {
    const std::string_view code = trim(without_comment(whole));
    if (code == ".amdgpu_metadata" || code == ".end_amdgpu_metadata") in_metadata_ = code[1] == 'a';
    if (code.empty() || in_metadata_) return;
    if (whole[0] != '.' && ends_with(code, ":")) return label(code, number);
    if (code[0] == '.') {
      if (ends_with(code, ":")) return label(code, number);
      return directive(code, whole, number);
    }
    if (!in_code_ || !is_space(whole[0])) return;
    items_.push_back({ItemKind::instruction, code, printed_address(whole), number, location_});
  }

  static std::string_view without_comment(std::string_view text) {
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
      quoted ^= text[i] == '"';
      if (quoted) continue;
      const bool slashes = text[i] == '/' && i + 1 < text.size() && text[i + 1] == '/';
      if (text[i] == ';' || slashes) return text.substr(0, i);
    }
    return text;
  }

  // `// 000000001900: C00200C0 00000018` as llvm-objdump prints it.
  static u64 printed_address(std::string_view whole) {
    const std::size_t comment = whole.find("// ");
    if (comment == std::string_view::npos) return ~u64{0};
    const std::string_view tail = whole.substr(comment + 3);
    const std::size_t colon = tail.find(':');
    if (colon != 12 && colon != 16) return ~u64{0};
    return number(tail.substr(0, colon), 16);
  }

  void label(std::string_view code, u32 number) {
    code.remove_suffix(1);
    // objdump: `0000000000001900 <name>:`
    if (const std::size_t open = code.find('<');
        open != std::string_view::npos && ends_with(code, ">")) {
      code = code.substr(open + 1, code.size() - open - 2);
      in_code_ = true;
    }
    if (starts_with(code, "Disassembly of section")) {
      in_code_ = code.find(".text") != std::string_view::npos;
      return;
    }
    if (in_code_) items_.push_back({ItemKind::label, code, 0, number, location_});
  }

  void directive(std::string_view code, std::string_view whole, u32 number) {
    const std::string_view name = next_word(code);
    if (name == ".text") in_code_ = true;
    if (name == ".section") in_code_ = starts_with(trim(code), ".text");
    if (name == ".data" || name == ".bss") in_code_ = false;
    if (name == ".file") file(code);
    if (name == ".loc") loc(code, whole);
    if (name == ".p2align" && in_code_) {
      const std::string_view power = trim(code.substr(0, code.find(',')));
      const u64 alignment = u64{1} << emulator::number(power, 10);
      items_.push_back({ItemKind::alignment, {}, alignment, number, location_});
    }
  }

  void file(std::string_view code) {
    const u64 index = emulator::number(next_word(code), 10);
    std::string directory = unquoted(next_word(code));
    const std::string_view second = trim(code);
    if (second.empty() || second[0] != '"') {
      files_[index] = directory;
      return;
    }
    const std::string name = unquoted(next_word(code));
    const bool absolute = !name.empty() && name[0] == '/';
    files_[index] = absolute || directory == "." ? name : directory + "/" + name;
  }

  void loc(std::string_view code, std::string_view whole) {
    Location location;
    location.file = files_[emulator::number(next_word(code), 10)];
    location.line = static_cast<u32>(emulator::number(next_word(code), 10));
    location.column = static_cast<u32>(emulator::number(next_word(code), 10));
    if (const std::size_t at = whole.find("@["); at != std::string_view::npos) {
      location.inlined = std::string(trim(whole.substr(at)));
    }
    if (location.line == 0) return;
    locations_.push_back(std::move(location));
    location_ = static_cast<u32>(locations_.size() - 1);
  }

  std::vector<Location>& locations_;
  std::vector<Item> items_;
  std::map<u64, std::string> files_;
  u32 location_ = 0;
  bool in_code_ = true, in_metadata_ = false;
};

// Splits at `separator` outside of brackets, parentheses and quotes.
std::vector<std::string_view> split_outside(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  int depth = 0;
  bool quoted = false;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : separator;
    quoted ^= c == '"';
    depth += (c == '[' || c == '(') - (c == ']' || c == ')');
    if (i < text.size() && (c != separator || depth > 0 || quoted)) continue;
    const std::string_view part = trim(text.substr(begin, i - begin));
    if (!part.empty()) parts.push_back(part);
    begin = i + 1;
  }
  return parts;
}

bool is_modifier(std::string_view word) {
  const std::size_t colon = word.find(':');
  return colon != std::string_view::npos && word.find('[') > colon && word.find('(') > colon;
}

std::string_view take_suffix(std::string_view& mnemonic) {
  for (const std::string_view suffix : {"e64_dpp", "e32", "e64", "dpp", "sdwa"}) {
    if (mnemonic.size() > suffix.size() + 1 && ends_with(mnemonic, suffix) &&
        mnemonic[mnemonic.size() - suffix.size() - 1] == '_') {
      mnemonic.remove_suffix(suffix.size() + 1);
      return suffix;
    }
  }
  return {};
}

}  // namespace

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::vector<Item> read_assembly(std::string_view text, std::vector<Location>& locations) {
  return Reader(locations).read(text);
}

Line split_line(std::string_view text) {
  Line line;
  line.rest = text;
  line.mnemonic = next_word(line.rest);
  line.rest = trim(line.rest);
  line.suffix = take_suffix(line.mnemonic);
  line.operands = split_outside(line.rest, ',');
  if (line.operands.empty()) return line;
  std::vector<std::string_view> words = split_outside(line.operands.back(), ' ');
  line.operands.pop_back();
  std::size_t first_modifier = 0;
  if (!is_modifier(words[0])) {
    line.operands.push_back(words[0]);
    first_modifier = 1;
  }
  for (std::size_t k = first_modifier; k < words.size(); ++k) {
    const std::size_t colon = words[k].find(':');
    const std::string_view value =
        colon == std::string_view::npos ? std::string_view{} : words[k].substr(colon + 1);
    line.modifiers.emplace_back(words[k].substr(0, colon), value);
  }
  return line;
}

}  // namespace lumc::emulator
