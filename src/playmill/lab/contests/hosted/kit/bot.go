// A bot for any game: it takes one of its options by the chance that it is handed. Make it better.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

type message struct {
	Type    string            `json:"type"`
	Number  int               `json:"number"`
	Random  uint64            `json:"random"`
	Seen    json.RawMessage   `json:"seen"`
	Options []json.RawMessage `json:"options"`
}

func main() {
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(line, &m) != nil {
			continue
		}
		switch m.Type {
		case "hello":
			fmt.Println(`{"type":"ready"}`)
		case "act":
			fmt.Printf("{\"type\":\"answer\",\"number\":%d,\"index\":%d}\n", m.Number, m.Random%uint64(len(m.Options)))
		case "quit":
			return
		}
	}
}
