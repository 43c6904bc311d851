module lanner-note

go 1.18

require golang.org/x/mod v0.20.0
