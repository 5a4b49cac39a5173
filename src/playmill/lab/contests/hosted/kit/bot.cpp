// A bot for any game: it takes one of its options by the chance that it is handed. Make it better.
// It only looks for the few words it needs; to understand `seen` use a JSON library, in the same folder.
#include <iostream>
#include <string>

static unsigned long long number_after(const std::string &line, const std::string &word, bool last) {
    const auto at = last ? line.rfind(word) : line.find(word);
    return at == std::string::npos ? 0 : std::stoull(line.substr(at + word.size()));
}

static bool has(const std::string &line, const char *word) { return line.find(word) != std::string::npos; }

int main() {
    std::string line;
    while (std::getline(std::cin, line)) {
        if (has(line, "\"type\":\"hello\"")) {
            std::cout << "{\"type\":\"ready\"}" << std::endl;
        } else if (has(line, "\"type\":\"act\"")) {
            unsigned long long options = 0;
            for (auto at = line.find("{\"index\":"); at != std::string::npos; at = line.find("{\"index\":", at + 1)) options++;
            const auto index = number_after(line, "\"random\":", true) % options;
            std::cout << "{\"type\":\"answer\",\"number\":" << number_after(line, "\"number\":", false)
                      << ",\"index\":" << index << "}" << std::endl;
        } else if (has(line, "\"type\":\"quit\"")) {
            break;
        }
    }
}
