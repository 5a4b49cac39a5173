// A bot for any game: it takes one of its options by the chance that it is handed. Make it better.
// It only looks for the few words it needs; to understand `seen` write a small parser, in the same folder.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

public class Bot {
    static long numberAfter(String line, int at) {
        int end = at;
        while (end < line.length() && Character.isDigit(line.charAt(end))) end++;
        return Long.parseLong(line.substring(at, end));
    }

    public static void main(String[] words) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.contains("\"type\":\"hello\"")) {
                System.out.println("{\"type\":\"ready\"}");
            } else if (line.contains("\"type\":\"act\"")) {
                long options = line.split("\\{\"index\":", -1).length - 1;
                long number = numberAfter(line, line.indexOf("\"number\":") + 9);
                long index = numberAfter(line, line.lastIndexOf("\"random\":") + 9) % options;
                System.out.println("{\"type\":\"answer\",\"number\":" + number + ",\"index\":" + index + "}");
            } else if (line.contains("\"type\":\"quit\"")) {
                break;
            }
            System.out.flush();
        }
    }
}
